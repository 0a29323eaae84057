//! Huffman decoding of what the host encoded.

use crate::compare::equal;
use anyhow::Result;
use bytemuck::{Pod, Zeroable};
use harness::random::Random;
use harness::session::{Argument, Session};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const BLOCKS: usize = 100;
const BLOCK: usize = 150;
/// Maximum length of a code word: the rarest letters are 2^-12 of the text.
const LONGEST: usize = 24;

#[derive(Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
struct LengthOfCode {
    first: u16,
    count: u16,
    letters: u16,
}

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(55);
    // Each letter is half as frequent as the one before.
    let text: Vec<u8> = (0..BLOCKS * BLOCK)
        .map(|_| b'a' + (random.word() | 1 << 20).leading_zeros() as u8)
        .collect();
    let lengths = code_lengths(&text);
    let (mut code, mut letters) = ([LengthOfCode::default(); LONGEST + 1], Vec::new());
    let mut words = [(0u32, 0usize); 256];
    let mut next = 0u32;
    for (length, code) in code.iter_mut().enumerate().skip(1) {
        next *= 2;
        code.first = next as u16;
        code.letters = letters.len() as u16;
        for letter in (0..=255u8).filter(|&letter| lengths[usize::from(letter)] == length) {
            words[usize::from(letter)] = (next, length);
            letters.push(letter);
            code.count += 1;
            next += 1;
        }
    }
    // Each block begins at a byte boundary; the reader loads eight bytes at a time.
    let (mut bytes, mut starts) = (Vec::new(), Vec::new());
    for block in text.chunks(BLOCK) {
        starts.push(bytes.len() as u32);
        let mut bits = Vec::new();
        for &letter in block {
            let (word, length) = words[usize::from(letter)];
            bits.extend((0..length).rev().map(|bit| (word >> bit & 1) as u8));
        }
        bits.resize(bits.len().next_multiple_of(64), 0);
        let byte = |bits: &[u8]| bits.iter().fold(0, |byte, bit| byte << 1 | bit);
        bytes.extend(bits.chunks(8).map(byte));
    }
    let options = format!("-DBLOCK={BLOCK}");
    let program = session.program(include_str!("huffman_decode.cl"), &options)?;
    let (bytes, starts) = (session.buffer(&bytes)?, session.buffer(&starts)?);
    let (code, letters) = (session.buffer(&code)?, session.buffer(&letters)?);
    let got = session.zeros::<u8>(text.len())?;
    let arguments: [&dyn Argument; 5] = [&bytes, &starts, &code, &letters, &got];
    session.run(&program.kernel("decode")?, &[BLOCKS], &[], &arguments)?;
    equal("text", &session.read(&got)?, &text)
}

/// Code lengths by letter; 0 for letters that do not occur.
fn code_lengths(text: &[u8]) -> [usize; 256] {
    let mut lengths = [0; 256];
    let mut trees = BinaryHeap::new();
    for letter in 0..=255u8 {
        let count = text.iter().filter(|&&other| other == letter).count();
        if count > 0 {
            trees.push(Reverse((count, vec![letter])));
        }
    }
    while let (Some(Reverse(mut small)), Some(Reverse(other))) = (trees.pop(), trees.pop()) {
        small.0 += other.0;
        small.1.extend(other.1);
        for &letter in &small.1 {
            lengths[usize::from(letter)] += 1;
        }
        trees.push(Reverse(small));
        if trees.len() == 1 {
            break;
        }
    }
    lengths
}
