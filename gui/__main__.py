"""`python -m gui` is `memory-desk`."""

import sys

from gui.cli import main

if __name__ == "__main__":
    sys.exit(main())
