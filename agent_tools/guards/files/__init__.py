"""Files inside the roots that tools may know, opened so that no path, link or race leads out of them."""
