"""Measured figures, each beside its floor or peer from the same run: `make bench`."""
