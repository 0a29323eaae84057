//! Base64 there and back.

use crate::compare::equal;
use anyhow::Result;
use harness::random::Random;
use harness::session::{Argument, Session};

pub fn run(session: &Session) -> Result<()> {
    let program = session.program(include_str!("base64.cl"), "")?;
    let (encode, decode) = (program.kernel("encode")?, program.kernel("decode")?);
    // The examples of RFC 4648, section 10, and all lengths modulo three.
    let mut inputs = vec![b"foobar".to_vec(), b"fooba".to_vec(), b"f".to_vec()];
    let known = ["Zm9vYmFy", "Zm9vYmE=", "Zg=="];
    let mut random = Random::new(50);
    inputs.extend([6000, 6001, 6002].map(|length| random.bytes(length)));
    for (index, bytes) in inputs.iter().enumerate() {
        let items = bytes.len().div_ceil(3);
        let (there, text) = (session.buffer(bytes)?, session.zeros::<u8>(4 * items)?);
        let arguments: [&dyn Argument; 3] = [&there, &(bytes.len() as u32), &text];
        session.run(&encode, &[items], &[], &arguments)?;
        let got = session.read(&text)?;
        if let Some(known) = known.get(index) {
            equal("RFC 4648's example", &got, known.as_bytes())?;
        }
        equal("text", &got, &base64(bytes))?;
        let back = session.zeros::<u8>(3 * items)?;
        session.run(&decode, &[items], &[], &[&text, &back])?;
        equal("bytes", &session.read(&back)?[..bytes.len()], bytes)?;
    }
    Ok(())
}

/// The reference, which encodes six bits at a time.
fn base64(bytes: &[u8]) -> Vec<u8> {
    let bit = |place: usize| {
        bytes
            .get(place / 8)
            .is_some_and(|byte| byte << (place % 8) & 128 != 0)
    };
    let mut text: Vec<u8> = (0..(bytes.len() * 8).div_ceil(6))
        .map(|letter| {
            let value = (0..6).fold(0, |value, i| 2 * value + u8::from(bit(6 * letter + i)));
            match value {
                0..26 => b'A' + value,
                26..52 => b'a' + value - 26,
                52..62 => b'0' + value - 52,
                62 => b'+',
                _ => b'/',
            }
        })
        .collect();
    text.resize(text.len().next_multiple_of(4), b'=');
    text
}
