//! CRC-32 of a text in chunks, against one bit after another.

use crate::compare::equal;
use anyhow::Result;
use harness::random::Random;
use harness::session::{Argument, Session};

const CHUNKS: usize = 1024;
const WORDS: usize = 16;
const POLYNOMIAL: u32 = 0xEDB8_8320;

/// The check value that CRC catalogues give for "123456789".
const CHECK: u32 = 0xCBF4_3926;

pub fn run(session: &Session) -> Result<()> {
    equal(
        "the check value on the host",
        &[!remainder(!0, b"123456789")],
        &[CHECK],
    )?;
    let mut text = Random::new(44).bytes(CHUNKS * WORDS * 4);
    let expected = !remainder(!0, &text);
    // The CRC starts with all bits set: as if the first four bytes were inverted.
    text[..4].iter_mut().for_each(|byte| *byte = !*byte);

    let program = session.program(include_str!("crc32.cl"), "")?;
    let tables = session.zeros::<[u32; 256]>(4)?;
    session.run(&program.kernel("make_tables")?, &[256], &[], &[&tables])?;
    let next_table = program.kernel("next_table")?;
    for number in 1..4u32 {
        session.run(&next_table, &[256], &[], &[&tables, &number])?;
    }
    let (there, crcs) = (session.buffer(&text)?, session.zeros::<u32>(CHUNKS)?);
    let arguments: [&dyn Argument; 4] = [&tables, &there, &(WORDS as u32), &crcs];
    session.run(
        &program.kernel("crc_of_chunks")?,
        &[CHUNKS],
        &[],
        &arguments,
    )?;
    let combine = program.kernel("combine")?;
    let mut step = 1;
    while step < CHUNKS {
        // A one and `step` chunks of zero bits, least significant power first.
        let zeros = vec![0; step * WORDS * 4];
        let shift = remainder(0x8000_0000, &zeros);
        let arguments: [&dyn Argument; 3] = [&crcs, &(step as u32), &shift];
        session.run(&combine, &[CHUNKS / 2 / step], &[], &arguments)?;
        step *= 2;
    }
    equal("CRC", &[!session.read(&crcs)?[0]], &[expected])
}

fn remainder(start: u32, text: &[u8]) -> u32 {
    let mut crc = start;
    for bit in text
        .iter()
        .flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1))
    {
        let out = (crc & 1) ^ u32::from(bit);
        crc = (crc >> 1) ^ (POLYNOMIAL * out);
    }
    crc
}
