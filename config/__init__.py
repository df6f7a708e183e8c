"""The project: settings from the environment, addresses, the ASGI entry point."""
