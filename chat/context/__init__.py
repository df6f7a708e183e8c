"""What a model is told: the history of the branch, in an order that keeps prompt caches hitting."""
