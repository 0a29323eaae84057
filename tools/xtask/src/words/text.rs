//! A file as words, and phrases in it: across lines of a comment, in `snake_case` and in
//! `CamelCase`.

use std::fmt::{Display, Formatter};

/// A word in lower case.
pub struct Word {
    text: String,
    /// The line, from 1.
    pub line: usize,
    /// Whether only spaces, line breaks, comment markers or `_` are between it and the word before.
    adjacent: bool,
}

/// The words of a file: runs of letters, cut where capitals begin.
pub fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut adjacent = false;
    for (index, line) in text.lines().enumerate() {
        let start = line.trim_start();
        let content = start.trim_start_matches(['/', '!', '#', '*', ';', '>']);
        // A phrase does not continue into code after a comment or into the next list item.
        adjacent &= content.len() < start.len() || !line.contains("//");
        let mut word = String::new();
        let mut after_lower = false;
        for character in content.chars().chain(['\n']) {
            let begins = character.is_uppercase() && after_lower;
            if (begins || !(character.is_alphabetic() || character == '\'')) && !word.is_empty() {
                words.push(Word {
                    text: std::mem::take(&mut word),
                    line: index + 1,
                    adjacent,
                });
                adjacent = true;
            }
            if character.is_alphabetic() || (character == '\'' && !word.is_empty()) {
                word.extend(character.to_lowercase());
            } else if !(character.is_whitespace() || character == '_') {
                adjacent = false;
            }
            after_lower = character.is_lowercase();
        }
    }
    words
}

/// A sequence of words, each of which may be a prefix.
pub struct Phrase(Vec<String>);

impl Phrase {
    /// Parses words separated by spaces.
    pub fn parse(words: &str) -> Self {
        Self(words.split_whitespace().map(str::to_owned).collect())
    }

    /// Whether `words` begin with the phrase.
    pub fn matches(&self, words: &[Word]) -> bool {
        self.0.len() <= words.len()
            && self
                .0
                .iter()
                .zip(words)
                .enumerate()
                .all(|(index, (pattern, word))| {
                    let same = match pattern.strip_suffix('*') {
                        Some(beginning) => word.text.starts_with(beginning),
                        None => word.text == *pattern,
                    };
                    same && (index == 0 || word.adjacent)
                })
    }
}

impl Display for Phrase {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::{Phrase, words};

    /// The lines in which the phrase begins.
    fn lines(phrase: &str, text: &str) -> Vec<usize> {
        let (phrase, words) = (Phrase::parse(phrase), words(text));
        let positions = 0..words.len();
        let hits = positions.filter(|position| phrase.matches(&words[*position..]));
        hits.map(|position| words[position].line).collect()
    }

    #[test]
    fn a_phrase_is_found_across_the_lines_of_a_comment() {
        let text = "/// There are so\n    /// many of them.\nlet so = 1; // so, many\n";
        assert_eq!(lines("so many", text), [1]);
    }

    #[test]
    fn a_phrase_is_found_in_identifiers() {
        assert_eq!(
            lines("go on", "fn go_on() {}\nstruct GoOn;\ngo.on()"),
            [1, 2]
        );
    }

    #[test]
    fn a_word_can_be_left_open_at_its_end() {
        assert_eq!(lines("reckon*", "Reckoned.\nreckless\nRECKONING"), [1, 3]);
        assert_eq!(lines("way", "always, ways"), [0; 0]);
    }
}
