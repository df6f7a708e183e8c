"""What agent_tools asks of a conversation: an audience, a person, a model, a sub-agent."""
