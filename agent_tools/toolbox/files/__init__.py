"""Files of a session, and a shell on them."""
