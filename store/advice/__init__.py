"""What might leave memory, and why: judged here, from texts and times alone, never acted on."""
