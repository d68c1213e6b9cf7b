"""Skills: folders of instructions that the agent keeps, finds by name, and counts."""
