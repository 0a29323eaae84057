//! Tables of distances between sequences.

use super::{Case, Category, ensure_each, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::Result;

pub const CASES: &[Case] = &[
    Case {
        name: "needleman-wunsch",
        what: "1024 x 1024 ints, diagonals of 16 x 16 in local memory, 127 launches",
        category: Category::Kernel,
        measure: needleman_wunsch,
    },
    Case {
        name: "levenshtein",
        what: "32 Ki words of 8 to 32 letters, a row in a private array",
        category: Category::Kernel,
        measure: levenshtein,
    },
];

const SOURCE: &str = source!("sequences/alignment.cl");

fn needleman_wunsch(mode: Mode) -> Result<Measurement> {
    const BLOCK: usize = 16;
    const PENALTY: i32 = 10;
    let blocks = mode.size(64, 4);
    let width = blocks * BLOCK + 1;
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, "needleman_wunsch")?;
    let mut random = fastrand::Rng::with_seed(1);
    let similarity: Vec<i32> = (0..width * width).map(|_| random.i32(-4..=11)).collect();
    let mut scores = vec![0i32; width * width];
    for i in 0..width {
        scores[i] = -(i as i32) * PENALTY;
        scores[i * width] = -(i as i32) * PENALTY;
    }
    let (buffer, of_similarity) = (session.buffer(&scores)?, session.buffer(&similarity)?);
    let time = mode.time(|| {
        for diagonal in 0..2 * blocks - 1 {
            let first_x = diagonal.min(blocks - 1);
            let first_y = diagonal - first_x;
            kernel.set(&[
                &buffer,
                &of_similarity,
                &(width as i32),
                &PENALTY,
                &(first_x as i32),
                &(first_y as i32),
            ])?;
            session.enqueue(&kernel, &[(first_x - first_y + 1) * BLOCK], Some(&[BLOCK]))?;
        }
        session.finish()
    })?;
    for y in 1..width {
        for x in 1..width {
            let point = y * width + x;
            let matched = scores[point - width - 1] + similarity[point];
            let skipped = scores[point - 1].max(scores[point - width]) - PENALTY;
            scores[point] = matched.max(skipped);
        }
    }
    ensure_each(&session.read(&buffer)?, 1, |i| scores[i])?;
    Ok(time)
}

fn levenshtein(mode: Mode) -> Result<Measurement> {
    const LONGEST: usize = 32;
    let count = mode.size(32 << 10, 1 << 9);
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, "levenshtein")?;
    let mut random = fastrand::Rng::with_seed(1);
    let mut letters =
        |count: usize| -> Vec<u8> { (0..count).map(|_| random.u8(b'a'..=b'e')).collect() };
    let (words, word) = (letters(count * LONGEST), letters(24));
    let lengths: Vec<i32> = (0..count).map(|_| random.i32(8..=LONGEST as i32)).collect();
    let (of_words, of_word) = (session.buffer(&words)?, session.buffer(&word)?);
    let of_lengths = session.buffer(&lengths)?;
    let distances = session.unwritten::<i32>(count)?;
    let length = word.len() as i32;
    kernel.set(&[&of_words, &of_lengths, &of_word, &length, &distances])?;
    let time = mode.time(|| session.run(&kernel, &[count], Some(&[64])))?;
    ensure_each(&session.read(&distances)?, mode.size(3, 1), |item| {
        let own = &words[item * LONGEST..][..lengths[item] as usize];
        let mut row: Vec<i32> = (0..=length).collect();
        for letter in own {
            let mut next = vec![row[0] + 1];
            for (i, other) in word.iter().enumerate() {
                let changed = row[i] + i32::from(other != letter);
                next.push(changed.min(next[i] + 1).min(row[i + 1] + 1));
            }
            row = next;
        }
        row[word.len()]
    })?;
    Ok(time)
}
