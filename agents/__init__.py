"""Agents that play any game of the suite, and playing them against each other. Importing it registers their names."""

from agents import greedy, policy, search

__all__ = ["greedy", "policy", "search"]
