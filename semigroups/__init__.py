"""Finite semigroups and membership: which fragments of temporal logic and which varieties a language belongs to."""
