"""Everything that is kept: files, config, journal and queue, without Qt."""
