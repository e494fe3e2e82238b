//! Runners for the problem sets.
