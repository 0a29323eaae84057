//! Smith-Waterman alignment against the full matrices of Gotoh's recurrences.

use crate::compare::equal;
use anyhow::Result;
use bytemuck::{Pod, Zeroable};
use harness::random::Random;
use harness::session::{Argument, Session};

const PAIRS: usize = 40;
const ROWS: usize = 96;
const OPEN: i32 = 7;
const EXTEND: i32 = 2;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Pair {
    query_start: u16,
    query_length: u16,
    reference_start: u32,
    reference_length: u16,
    unused: u16,
}

/// An alignment of five bytes, because the kernel's struct is packed.
type Alignment = [u8; 5];

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(13);
    let (mut queries, mut references, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
    let mut expected = Vec::new();
    for index in 0..PAIRS {
        let rows = 1 + random.below(ROWS as u32) as usize;
        let columns = 1 + random.below(300) as usize;
        let reference: Vec<u8> = (0..columns).map(|_| random.below(4) as u8).collect();
        let mut query: Vec<u8> = (0..rows).map(|_| random.below(4) as u8).collect();
        if index % 2 == 0 {
            // The query contains a part of the reference with a gap, so that there is an alignment.
            let part = rows.min(columns) / 2;
            query[..part].copy_from_slice(&reference[columns - part..]);
            query.drain(part / 2..part / 2 + part / 8);
        }
        pairs.push(Pair {
            query_start: queries.len() as u16,
            query_length: query.len() as u16,
            reference_start: references.len() as u32,
            reference_length: columns as u16,
            unused: 0,
        });
        expected.push(align(&query, &reference));
        queries.extend(query);
        references.extend(reference);
    }
    let options = format!("-DROWS={ROWS} -DOPEN={OPEN} -DEXTEND={EXTEND}");
    let program = session.program(include_str!("smith_waterman.cl"), &options)?;
    let (queries, references) = (session.buffer(&queries)?, session.buffer(&references)?);
    let (pairs, results) = (session.buffer(&pairs)?, session.zeros::<Alignment>(PAIRS)?);
    let arguments: [&dyn Argument; 4] = [&queries, &references, &pairs, &results];
    session.run(
        &program.kernel("align")?,
        &[PAIRS * ROWS],
        &[ROWS],
        &arguments,
    )?;
    equal("alignments", &session.read(&results)?, &expected)
}

fn align(query: &[u8], reference: &[u8]) -> Alignment {
    let (rows, columns) = (query.len(), reference.len());
    let mut score = vec![vec![0i32; columns + 1]; rows + 1];
    let mut right = vec![vec![-1000i32; columns + 1]; rows + 1];
    let mut down = right.clone();
    let (mut best, mut place) = (0, (0, 0));
    for i in 1..=rows {
        for j in 1..=columns {
            right[i][j] = (right[i][j - 1] - EXTEND).max(score[i][j - 1] - OPEN);
            down[i][j] = (down[i - 1][j] - EXTEND).max(score[i - 1][j] - OPEN);
            let similarity = match query[i - 1].abs_diff(reference[j - 1]) {
                0 => 5,
                2 => -1,
                _ => -4,
            };
            let along = score[i - 1][j - 1] + similarity;
            score[i][j] = 0.max(along).max(right[i][j]).max(down[i][j]);
            if score[i][j] > best {
                (best, place) = (score[i][j], (i - 1, j - 1));
            }
        }
    }
    let [low, high] = (best as u16).to_le_bytes();
    let [reference_low, reference_high] = (place.1 as u16).to_le_bytes();
    [low, high, place.0 as u8, reference_low, reference_high]
}
