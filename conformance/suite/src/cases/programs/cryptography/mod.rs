//! Ciphers, hashes and encodings.

pub mod aes;
pub mod base64;
pub mod crc32;
pub mod md5_search;
pub mod modular_power;
pub mod sha256;
