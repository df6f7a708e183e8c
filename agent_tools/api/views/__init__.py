"""The addresses' views."""
