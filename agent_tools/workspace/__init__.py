"""What a session leaves behind and later calls use: kept outputs, small state."""
