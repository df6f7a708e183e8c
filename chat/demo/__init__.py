"""A small sample site on loopback, so that everything can be tried without internet and without a key."""
