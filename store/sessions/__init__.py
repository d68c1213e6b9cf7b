"""All past conversations: state.db, read as a guest of the agent that writes it."""
