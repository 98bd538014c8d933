"""`python -m lookback` is the command `lookback`."""

from lookback.cli import main

if __name__ == "__main__":
    main()
