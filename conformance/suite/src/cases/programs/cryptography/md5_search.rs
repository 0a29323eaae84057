//! Search for words by their MD5 digests.

use crate::compare::equal;
use anyhow::Result;
use bytemuck::{Pod, Zeroable};
use harness::session::{Argument, Session};

const LETTERS: usize = 3;
const WORDS: [&[u8; LETTERS]; 5] = [b"abc", b"zzz", b"aaa", b"fox", b"dog"];

/// The digest of "abc" (RFC 1321).
const OF_ABC: u128 = 0x9001_5098_3cd2_4fb0_d696_3f7d_28e1_7f72;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(16))]
struct Digest([u8; 16]);

pub fn run(session: &Session) -> Result<()> {
    let sines: Vec<u32> = (1..=64)
        .map(|i| (f64::from(i).sin().abs() * 2f64.powi(32)) as u32)
        .collect();
    let mut digests: Vec<Digest> = WORDS
        .iter()
        .map(|word| Digest(md5(*word, &sines)))
        .collect();
    equal(
        "RFC 1321's example on the host",
        &digests[0].0,
        &OF_ABC.to_be_bytes(),
    )?;
    // A digest that no word of this length has.
    digests.push(Digest(md5(b"long", &sines)));

    let options = format!("-DLETTERS={LETTERS}");
    let program = session.program(include_str!("md5_search.cl"), &options)?;
    let (targets, sines) = (session.buffer(&digests)?, session.buffer(&sines)?);
    let found = session.zeros::<u32>(digests.len())?;
    let words = session.zeros::<u32>(digests.len())?;
    let arguments: [&dyn Argument; 5] = [&targets, &(digests.len() as u32), &sines, &found, &words];
    let items = 26usize.pow(LETTERS as u32).next_multiple_of(128);
    session.run(&program.kernel("search")?, &[items], &[128], &arguments)?;
    equal("found", &session.read(&found)?, &[1, 1, 1, 1, 1, 0])?;
    // The byte after the word is MD5's first bit of padding.
    let mut expected: Vec<u32> = WORDS
        .iter()
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], 0x80]))
        .collect();
    expected.push(0);
    equal("words", &session.read(&words)?, &expected)
}

/// The digest of a message of less than 56 bytes.
fn md5(message: &[u8], sines: &[u32]) -> [u8; 16] {
    let mut block = message.to_vec();
    block.push(0x80);
    block.resize(56, 0);
    block.extend((message.len() as u64 * 8).to_le_bytes());
    let word = |index: usize| {
        let bytes = &block[index % 16 * 4..][..4];
        u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
    };
    let start = [0x6745_2301u32, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    let [mut a, mut b, mut c, mut d] = start;
    for i in 0..64 {
        let (mixed, index) = match i / 16 {
            0 => ((b & c) | (!b & d), i),
            1 => ((b & d) | (c & !d), 5 * i + 1),
            2 => (b ^ c ^ d, 3 * i + 5),
            _ => (c ^ (b | !d), 7 * i),
        };
        let turns = [
            [7, 12, 17, 22],
            [5, 9, 14, 20],
            [4, 11, 16, 23],
            [6, 10, 15, 21],
        ];
        let sum = a
            .wrapping_add(mixed)
            .wrapping_add(sines[i])
            .wrapping_add(word(index));
        (a, d, c) = (d, c, b);
        b = b.wrapping_add(sum.rotate_left(turns[i / 16][i % 4]));
    }
    let mut digest = [0; 16];
    for (bytes, (now, before)) in digest
        .chunks_mut(4)
        .zip([a, b, c, d].into_iter().zip(start))
    {
        bytes.copy_from_slice(&now.wrapping_add(before).to_le_bytes());
    }
    digest
}
