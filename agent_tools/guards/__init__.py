"""All that keeps tools inside their limits: addresses, domains, transport, client, paths, sandbox."""
