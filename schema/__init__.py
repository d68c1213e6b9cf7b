"""What can be configured: pure values, no Qt and no files."""
