//! Command lines as GCC's tools have them: options with values in the same word or the next.

use anyhow::{Context, Result};

/// The words of a command line.
pub struct Words<'a> {
    words: std::slice::Iter<'a, String>,
}

impl<'a> Words<'a> {
    /// The words in their order.
    pub fn new(words: &'a [String]) -> Self {
        Self {
            words: words.iter(),
        }
    }

    /// The value of option `option` if `word` is that option: what follows in the word, or the next
    /// word.
    ///
    /// # Errors
    /// There is no next word.
    pub fn value(&mut self, word: &'a str, option: &str) -> Result<Option<&'a str>> {
        match word.strip_prefix(option) {
            None => Ok(None),
            Some("") => {
                let value = self.next();
                value
                    .map(Some)
                    .with_context(|| format!("missing argument to '{option}'"))
            }
            Some(value) => Ok(Some(value)),
        }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.words.next().map(String::as_str)
    }
}
