//! Levenshtein distances, against the table of all prefixes.

use crate::compare::equal;
use anyhow::Result;
use harness::random::Random;
use harness::session::{Argument, Session};

const WORDS: usize = 600;

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(47);
    let program = session.program(include_str!("edit_distance.cl"), "")?;
    let kernel = program.kernel("distances")?;
    // The longest that fits has a row in the highest bit.
    for length in [1, 33, 64] {
        let letter = |random: &mut Random| b'a' + random.below(4) as u8 * 8;
        let pattern: Vec<u8> = (0..length).map(|_| letter(&mut random)).collect();
        let words: Vec<Vec<u8>> = (0..WORDS)
            .map(|index| {
                let mut word = pattern.clone();
                for _ in 0..index % 40 {
                    let place = random.below(word.len() as u32 + 1) as usize;
                    if random.below(2) == 0 {
                        word.insert(place, letter(&mut random));
                    } else if place < word.len() {
                        word.remove(place);
                    }
                }
                word
            })
            .collect();
        let mut places = Vec::new();
        let mut start = 0;
        for word in &words {
            places.push([start, word.len() as u32]);
            start += word.len() as u32;
        }
        let (there, text) = (session.buffer(&pattern)?, session.buffer(&words.concat())?);
        let (places, got) = (session.buffer(&places)?, session.zeros::<u8>(WORDS)?);
        let arguments: [&dyn Argument; 5] = [&there, &(length as u32), &text, &places, &got];
        session.run(&kernel, &[WORDS], &[20], &arguments)?;
        let expected: Vec<u8> = words.iter().map(|word| distance(&pattern, word)).collect();
        equal(&format!("length {length}"), &session.read(&got)?, &expected)?;
    }
    Ok(())
}

fn distance(a: &[u8], b: &[u8]) -> u8 {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let here = (corner + usize::from(x != y))
                .min(row[j] + 1)
                .min(row[j + 1] + 1);
            corner = std::mem::replace(&mut row[j + 1], here);
        }
    }
    row[b.len()].min(255) as u8
}
