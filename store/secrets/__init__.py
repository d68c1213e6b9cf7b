"""Keys: kept in the keyring of the operating system, found where they lie open, given to Hermes."""
