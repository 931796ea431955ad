"""Where sessions outlive the process."""
