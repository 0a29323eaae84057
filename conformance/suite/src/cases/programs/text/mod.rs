//! Text and sequences.

pub mod aho_corasick;
pub mod comment_count;
pub mod edit_distance;
pub mod huffman_decode;
pub mod smith_waterman;
