"""The record of everything a turn does: numbered per conversation, stored, followed by whoever watches."""
