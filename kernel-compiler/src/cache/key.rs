//! Keys of cached results: hashes of everything that a result depends on.

use serde::Serialize;
use std::fmt;

/// Everything that a result of one kind depends on, apart from the toolchain. What is serialised
/// is the key, so a field that does not change the result must not be part of it.
pub trait CacheInput: Serialize {
    /// The kind of result, for the log.
    const KIND: &'static str;
    /// To be increased when a field changes its meaning or the result its format.
    const VERSION: u32;
}

/// Name of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key([u8; 32]);

impl Key {
    /// The key of what the toolchain with that hash makes of `input`.
    pub fn new<T: CacheInput>(toolchain: &[u8; 32], input: &T) -> Self {
        let mut hasher = blake3::Hasher::new();
        postcard::to_io(&(toolchain, T::KIND, T::VERSION, input), &mut hasher)
            .expect("a hasher accepts all bytes");
        Self(*hasher.finalize().as_bytes())
    }

    /// The bytes of the hash.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Checks that the key of each input differs from all others, and that `equal`, which has the
    /// values of the first, has its key.
    pub fn check_distinct<T: CacheInput>(inputs: &[T], equal: &T) {
        let key = |input: &T| Key::new(&[0; 32], input);
        let keys: Vec<Key> = inputs.iter().map(key).collect();
        for (index, known) in keys.iter().enumerate() {
            assert!(!keys[..index].contains(known), "input {index}");
        }
        assert!(key(equal) == keys[0]);
    }

    /// An input that is nothing but its number.
    #[derive(Serialize)]
    pub struct Numbered(pub usize);

    impl CacheInput for Numbered {
        const KIND: &'static str = "test";
        const VERSION: u32 = 1;
    }

    #[derive(Serialize)]
    struct Texts(Vec<&'static str>);

    impl CacheInput for Texts {
        const KIND: &'static str = "texts";
        const VERSION: u32 = 1;
    }

    #[derive(Serialize)]
    struct Others(Vec<&'static str>);

    impl CacheInput for Others {
        const KIND: &'static str = "others";
        const VERSION: u32 = 1;
    }

    #[derive(Serialize)]
    struct Newer(Vec<&'static str>);

    impl CacheInput for Newer {
        const KIND: &'static str = "texts";
        const VERSION: u32 = 2;
    }

    #[test]
    fn keys_distinguish_fields_and_their_borders() {
        let inputs = [
            Texts(vec!["ab", "c"]),
            Texts(vec!["a", "bc"]),
            Texts(vec!["abc"]),
            Texts(vec!["abc", ""]),
            Texts(vec![]),
        ];
        check_distinct(&inputs, &Texts(vec!["ab", "c"]));
    }

    #[test]
    fn keys_distinguish_toolchain_kind_and_version() {
        let texts = || vec!["ab", "c"];
        let keys = [
            Key::new(&[0; 32], &Texts(texts())),
            Key::new(&[1; 32], &Texts(texts())),
            Key::new(&[0; 32], &Others(texts())),
            Key::new(&[0; 32], &Newer(texts())),
        ];
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[..index].contains(key), "{index}");
        }
    }
}
