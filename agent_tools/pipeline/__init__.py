"""Runs calls: one module a stage, one order for every door."""
