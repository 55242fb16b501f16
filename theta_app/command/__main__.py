import sys

from theta_app.command import main

if __name__ == "__main__":
    sys.exit(main())
