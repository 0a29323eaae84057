//! AES-128 in counter mode against FIPS 197 over the field itself, byte by byte.

use crate::compare::equal;
use anyhow::Result;
use harness::random::Random;
use harness::session::{Argument, Session};

const BLOCKS: usize = 2048;

/// Key, plain text and cipher text of FIPS 197, appendix B.
const EXAMPLE: [[u8; 16]; 3] = [
    0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c_u128.to_be_bytes(),
    0x3243_f6a8_885a_308d_3131_98a2_e037_0734_u128.to_be_bytes(),
    0x3925_841d_02dc_09fb_dc11_8597_196a_0b32_u128.to_be_bytes(),
];

pub fn run(session: &Session) -> Result<()> {
    let substitutes = substitutes();
    let [key, plain, cipher] = EXAMPLE;
    equal(
        "the standard's example on the host",
        &encrypt(&substitutes, key, plain),
        &cipher,
    )?;

    let mut random = Random::new(20);
    let (key, nonce) = (std::array::from_fn(|_| random.bits() as u8), random.bits());
    let text = random.bytes(16 * BLOCKS);
    let program = session.program(include_str!("aes.cl"), "")?;
    let table = session.buffer(&substitutes)?;
    let (key_there, text_there) = (session.buffer(&key)?, session.buffer(&text)?);
    let arguments: [&dyn Argument; 4] = [&table, &key_there, &nonce, &text_there];
    session.run(
        &program.kernel("counter_mode")?,
        &[BLOCKS],
        &[32],
        &arguments,
    )?;
    let mut expected = text;
    for (counter, block) in expected.chunks_mut(16).enumerate() {
        let input = u128::from(nonce) << 64 | counter as u128;
        let pad = encrypt(&substitutes, key, input.to_be_bytes());
        block
            .iter_mut()
            .zip(pad)
            .for_each(|(byte, pad)| *byte ^= pad);
    }
    equal("cipher text", &session.read(&text_there)?, &expected)
}

/// Product in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1.
fn product(a: u8, b: u8) -> u8 {
    let mut sum = (0..8)
        .filter(|bit| b >> bit & 1 == 1)
        .fold(0u16, |sum, bit| sum ^ (u16::from(a) << bit));
    for bit in (8..15).rev() {
        if sum >> bit & 1 == 1 {
            sum ^= 0x11b << (bit - 8);
        }
    }
    sum as u8
}

/// The S-box: inverse, then an affine map.
fn substitutes() -> [u8; 256] {
    std::array::from_fn(|byte| {
        let inverse = (0..=255).find(|&other| product(byte as u8, other) == 1);
        let b = inverse.unwrap_or(0);
        (1..5).fold(b ^ 0x63, |sum, turn| sum ^ b.rotate_left(turn))
    })
}

fn encrypt(substitutes: &[u8; 256], key: [u8; 16], mut state: [u8; 16]) -> [u8; 16] {
    let substitute = |byte: u8| substitutes[usize::from(byte)];
    let mut round_key = key;
    let mut factor = 1;
    for round in 0..=10 {
        if round > 0 {
            let substituted = state.map(substitute);
            // Row r is shifted by r columns.
            let shifted: [u8; 16] = std::array::from_fn(|i| substituted[(i + i % 4 * 4) % 16]);
            state = shifted;
            if round < 10 {
                state = std::array::from_fn(|i| {
                    let column = &shifted[i / 4 * 4..][..4];
                    (0..4).fold(0, |sum, r| {
                        sum ^ product(column[(i + r) % 4], [2, 3, 1, 1][r])
                    })
                });
            }
            for i in 0..16 {
                round_key[i] ^= match i {
                    0 => substitute(round_key[13]) ^ factor,
                    1..3 => substitute(round_key[13 + i]),
                    3 => substitute(round_key[12]),
                    _ => round_key[i - 4],
                };
            }
            factor = product(factor, 2);
        }
        state = std::array::from_fn(|i| state[i] ^ round_key[i]);
    }
    state
}
