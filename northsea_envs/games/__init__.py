"""One folder a game; the rooms inside carry the same names in all of them."""
