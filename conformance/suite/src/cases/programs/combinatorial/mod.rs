//! Graphs and searches.

pub mod bfs;
pub mod floyd_warshall;
pub mod knapsack;
pub mod n_queens;
