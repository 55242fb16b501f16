"""The paper's experiments and claims, and what was measured: stored results that say whether they are fresh."""
