"""Networks as recognisers: attention patterns, the transformer, its data, training, evaluation and runs.

Importing this package or `neural.pattern` does not load torch; the modules that hold or run networks do.
"""
