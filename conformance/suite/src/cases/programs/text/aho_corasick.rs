//! Many patterns in a text, against a search for each.

use crate::compare::equal;
use anyhow::Result;
use harness::random::Random;
use harness::session::{Argument, Session};
use std::collections::VecDeque;

const LETTERS: usize = 5;
const LENGTH: usize = 60_000;
const CHUNK: usize = 100;

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(21);
    let mut word = |length: u32| -> Vec<u8> {
        (0..length)
            .map(|_| b'a' + random.below(LETTERS as u32) as u8)
            .collect()
    };
    let text = word(LENGTH as u32);
    let mut patterns: Vec<Vec<u8>> = (0..60).map(|index| word(2 + index % 7)).collect();
    // A pattern within another, one that overlaps itself, and one that certainly occurs.
    patterns.extend([b"abab".to_vec(), b"ba".to_vec(), b"aaaa".to_vec()]);
    patterns.push(text[CHUNK - 9..CHUNK + 9].to_vec());
    let longest = patterns.iter().map(Vec::len).max().unwrap_or(0);

    let (states, lists) = automaton(&patterns);
    let options = format!("-DLETTERS={LETTERS} -DCHUNK={CHUNK} -DLONGEST={longest}");
    let program = session.program(include_str!("aho_corasick.cl"), &options)?;
    let there = session.buffer(&text)?;
    let (states, lists) = (session.buffer(&states)?, session.buffer(&lists)?);
    let counts = session.zeros::<u32>(patterns.len())?;
    let arguments: [&dyn Argument; 5] = [&there, &(LENGTH as u32), &states, &lists, &counts];
    let items = LENGTH.div_ceil(CHUNK).next_multiple_of(32);
    session.run(&program.kernel("match")?, &[items], &[32], &arguments)?;
    let expected: Vec<u32> = patterns
        .iter()
        .map(|pattern| {
            text.windows(pattern.len())
                .filter(|part| part == pattern)
                .count() as u32
        })
        .collect();
    equal("counts", &session.read(&counts)?, &expected)
}

/// The states (transitions and the offset of the list of matches) and the lists.
fn automaton(patterns: &[Vec<u8>]) -> (Vec<[u16; LETTERS + 1]>, Vec<u16>) {
    let mut next: Vec<[Option<usize>; LETTERS]> = vec![[None; LETTERS]];
    let mut matches: Vec<Vec<u16>> = vec![Vec::new()];
    for (index, pattern) in patterns.iter().enumerate() {
        let mut state = 0;
        for letter in pattern {
            let letter = usize::from(letter - b'a');
            state = next[state][letter].unwrap_or_else(|| {
                next.push([None; LETTERS]);
                matches.push(Vec::new());
                next[state][letter] = Some(next.len() - 1);
                next.len() - 1
            });
        }
        matches[state].push(index as u16);
    }
    // Breadth first: a letter without a transition has that of the longest proper suffix's state.
    let mut failure = vec![0; next.len()];
    let mut queue = VecDeque::from([0]);
    while let Some(state) = queue.pop_front() {
        let suffix = if state == 0 {
            [None; LETTERS]
        } else {
            next[failure[state]]
        };
        for (transition, fallback) in next[state].iter_mut().zip(suffix) {
            let fallback = fallback.unwrap_or(0);
            let Some(child) = *transition else {
                *transition = Some(fallback);
                continue;
            };
            failure[child] = fallback;
            let inherited = matches[fallback].clone();
            matches[child].extend(inherited);
            queue.push_back(child);
        }
    }
    let mut lists = Vec::new();
    let states = next
        .iter()
        .zip(matches)
        .map(|(row, list)| {
            let mut state = [0; LETTERS + 1];
            for letter in 0..LETTERS {
                state[letter] = row[letter].unwrap_or(0) as u16;
            }
            state[LETTERS] = lists.len() as u16;
            lists.extend(list);
            lists.push(u16::MAX);
            state
        })
        .collect();
    (states, lists)
}
