//! Mutations of bytes and texts.

use fastrand::Rng;

/// A generator whose numbers are independent of those of neighbouring seeds.
pub fn random(seed: u64) -> Rng {
    let mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Rng::with_seed(mixed ^ mixed >> 29)
}

/// Limits of integer types, as little-endian numbers.
const EDGES: &[u64] = &[
    0,
    1,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    u64::MAX,
];

/// Changes some of `bytes`, partly to bytes of `other`.
pub fn bytes(random: &mut Rng, bytes: &mut Vec<u8>, other: &[u8]) {
    for _ in 0..1 << random.u32(0..5) {
        one_change(random, bytes, other);
    }
}

fn one_change(random: &mut Rng, bytes: &mut Vec<u8>, other: &[u8]) {
    if bytes.is_empty() {
        bytes.extend_from_slice(&other[..other.len().min(64)]);
        return;
    }
    let place = random.usize(0..bytes.len());
    let length = (1 << random.u32(0..8)).min(bytes.len() - place);
    match random.u32(0..9) {
        0..3 => bytes[place] ^= 1 << random.u32(0..8),
        3 => bytes[place] = random.u8(..),
        4 => {
            let width = [1, 2, 4, 8][random.usize(0..4)].min(bytes.len() - place);
            let edge = EDGES[random.usize(0..EDGES.len())].to_le_bytes();
            bytes[place..place + width].copy_from_slice(&edge[..width]);
        }
        5 => drop(bytes.drain(place..place + length)),
        6 => {
            let copy = bytes[place..place + length].to_vec();
            let to = random.usize(0..=bytes.len());
            bytes.splice(to..to, copy);
        }
        7 if !other.is_empty() => {
            let from = random.usize(0..other.len());
            let end = (from + length).min(other.len());
            bytes.splice(place..place + length, other[from..end].iter().copied());
        }
        // Truncation is rare, because it leaves few bytes.
        _ if random.u32(0..4) == 0 => bytes.truncate(place),
        _ => bytes[place] = bytes[place].wrapping_add(1),
    }
}

/// The tokens of a text: words, numbers, and single other characters, each with the white space
/// behind it.
pub fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let of_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        let body = if of_word(first) {
            rest.find(|c| !of_word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let space = rest[body..]
            .find(|c: char| !c.is_whitespace())
            .unwrap_or(rest.len() - body);
        let (token, behind) = rest.split_at(body + space);
        tokens.push(token);
        rest = behind;
    }
    tokens
}

/// Changes the order and number of the tokens of `text`, and inserts some of `other` and of
/// `dictionary`.
pub fn text(random: &mut Rng, text: &str, other: &str, dictionary: &[&str]) -> String {
    let (mut tokens, other) = (tokens(text), tokens(other));
    for _ in 0..1 << random.u32(0..5) {
        if tokens.is_empty() {
            break;
        }
        let place = random.usize(0..tokens.len());
        let end = (place + (1 << random.u32(0..6))).min(tokens.len());
        match random.u32(0..10) {
            0 | 1 => drop(tokens.remove(place)),
            2 => tokens.insert(place, tokens[place]),
            3 => {
                let with = random.usize(0..tokens.len());
                tokens.swap(place, with);
            }
            4 => tokens[place] = tokens[random.usize(0..tokens.len())],
            5 if !other.is_empty() => tokens[place] = other[random.usize(0..other.len())],
            6 if !other.is_empty() => {
                let from = random.usize(0..other.len());
                let count = (end - place).min(other.len() - from);
                tokens.splice(place..end, other[from..from + count].iter().copied());
            }
            7 => drop(tokens.drain(place..end)),
            8 => {
                let copy = tokens[place..end].to_vec();
                let to = random.usize(0..=tokens.len());
                tokens.splice(to..to, copy);
            }
            _ if !dictionary.is_empty() => {
                tokens.insert(place, dictionary[random.usize(0..dictionary.len())]);
            }
            _ => {}
        }
    }
    tokens.concat()
}

/// The class of a token, within which tokens are exchanged.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Number,
    Word,
    Operator,
    Other,
}

impl Class {
    fn classify(token: &str) -> Self {
        match token.chars().next() {
            Some('0'..='9') => Self::Number,
            Some('a'..='z' | 'A'..='Z' | '_') => Self::Word,
            Some('+' | '-' | '*' | '/' | '%' | '&' | '|' | '^' | '<' | '>') => Self::Operator,
            _ => Self::Other,
        }
    }
}

/// Numbers that replace others in [`similar_text`].
const NUMBERS: &[&str] = &[
    "0", "1", "2", "3", "7", "8", "16", "31", "33", "64", "100", "1000",
];

/// Changes `text` so that many compilers still accept it: replaces tokens by others of their class,
/// and deletes, duplicates and swaps lines.
pub fn similar_text(random: &mut Rng, text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..1 << random.u32(0..3) {
        if lines.len() < 2 {
            break;
        }
        let place = random.usize(0..lines.len());
        match random.u32(0..8) {
            0 => drop(lines.remove(place)),
            1 => lines.insert(place, lines[place].clone()),
            2 => {
                let with = (place + 1).min(lines.len() - 1);
                lines.swap(place, with);
            }
            _ => {
                let other = lines[random.usize(0..lines.len())].clone();
                lines[place] = with_similar_token(random, &lines[place], &other);
            }
        }
    }
    lines.join("\n")
}

fn with_similar_token(random: &mut Rng, line: &str, other: &str) -> String {
    let (mut tokens, other) = (tokens(line), tokens(other));
    if tokens.is_empty() {
        return line.to_owned();
    }
    let place = random.usize(0..tokens.len());
    let class = Class::classify(tokens[place]);
    let number = format!("{} ", NUMBERS[random.usize(0..NUMBERS.len())]);
    let candidates: Vec<&str> = (other.iter().chain(&tokens))
        .copied()
        .filter(|token| class != Class::Other && Class::classify(token) == class)
        .collect();
    if class == Class::Number && random.bool() {
        tokens[place] = &number;
    } else if !candidates.is_empty() {
        tokens[place] = candidates[random.usize(0..candidates.len())];
    }
    tokens.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_texts_have_tokens_of_the_same_classes() {
        let text = "int f(int a)\n{\n    return a + 1;\n}";
        let classes = |text: &str| {
            let classes = tokens(text).into_iter().map(Class::classify);
            classes.filter(|class| *class == Class::Number).count()
        };
        let line = "    return a + 1;";
        for seed in 0..50 {
            let changed = with_similar_token(&mut random(seed), line, "b - 2");
            assert_eq!(classes(&changed), 1, "{changed}");
        }
        let all: std::collections::HashSet<_> = (0..100)
            .map(|seed| similar_text(&mut random(seed), text))
            .collect();
        assert!(all.len() > 30, "{}", all.len());
    }

    #[test]
    fn tokens_are_the_whole_text() {
        let text = " int a=0x1p3f ;\n\t\"ä\"  b->c";
        let parts = tokens(text);
        assert_eq!(parts.concat(), text);
        assert!(
            parts.contains(&"0x1p3f ") && parts.contains(&"a"),
            "{parts:?}"
        );
    }

    #[test]
    fn the_same_seed_makes_the_same_changes() {
        let change = |seed| {
            let mut random = random(seed);
            let changed = text(&mut random, "kernel void f() {}", "x + y", &["half "]);
            let mut damaged = b"0123456789".to_vec();
            bytes(&mut random, &mut damaged, b"abcdef");
            (changed, damaged)
        };
        let all: std::collections::HashSet<_> = (0..100).map(change).collect();
        assert!(all.len() > 80, "{}", all.len());
        assert_eq!(change(7), change(7));
    }
}
