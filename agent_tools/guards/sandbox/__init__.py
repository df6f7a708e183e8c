"""Runs commands where they see one folder and little else: no network, no secrets, bounded in all they use."""
