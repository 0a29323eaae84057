//! An entry as a file: a mark, a hash, what is kept.

use super::key::Key;

/// The last character is the version of the format.
const MAGIC: &[u8; 8] = b"MOCL3CE1";
const HEAD: usize = MAGIC.len() + blake3::OUT_LEN;

/// The bytes of a file that was found to be whole.
pub struct Entry(Vec<u8>);

impl Entry {
    /// The bytes to be written for a key.
    pub fn seal(key: &Key, payload: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + payload.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(hash(key, payload).as_bytes());
        bytes.extend_from_slice(payload);
        bytes
    }

    /// The bytes read for a key; none if a single one is not as it was written.
    pub fn open(key: &Key, bytes: Vec<u8>) -> Option<Self> {
        let (sum, payload) = bytes
            .strip_prefix(MAGIC)?
            .split_first_chunk::<{ blake3::OUT_LEN }>()?;
        (hash(key, payload) == *sum).then_some(Self(bytes))
    }

    /// What is kept.
    pub fn payload(&self) -> &[u8] {
        &self.0[HEAD..]
    }
}

/// The key takes part: a file that was given another's name is no entry.
fn hash(key: &Key, payload: &[u8]) -> blake3::Hash {
    blake3::Hasher::new()
        .update(key.as_bytes())
        .update(payload)
        .finalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::key::tests::Numbered;

    fn key(toolchain: u8) -> Key {
        Key::new(&[toolchain; 32], &Numbered(1))
    }

    #[test]
    fn opens_what_was_sealed_for_the_same_key_only() {
        let bytes = Entry::seal(&key(7), b"object");
        assert_eq!(
            Entry::open(&key(7), bytes.clone()).unwrap().payload(),
            b"object"
        );
        assert!(Entry::open(&key(8), bytes).is_none());
        let empty = Entry::seal(&key(7), b"");
        assert_eq!(Entry::open(&key(7), empty).unwrap().payload(), b"");
    }

    #[test]
    fn every_truncation_addition_and_changed_bit_is_noticed() {
        let bytes = Entry::seal(&key(7), b"object");
        for length in 0..bytes.len() {
            assert!(Entry::open(&key(7), bytes[..length].to_vec()).is_none());
        }
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(Entry::open(&key(7), damaged).is_none(), "bit {bit}");
        }
        assert!(Entry::open(&key(7), [bytes, vec![0]].concat()).is_none());
    }
}
