"""Agents that play any game of the suite, and playing them against each other. Importing it registers their names."""

from agents import greedy, policy, search
from agents.shipped import load

__all__ = ["greedy", "load", "policy", "search"]
