//! SHA-256 of many messages against FIPS 180-4 with constants computed from primes.

use crate::compare::equal;
use anyhow::Result;
use harness::random::Random;
use harness::session::Session;

const MESSAGES: usize = 512;

/// The digest of "abc", from the standard's example.
const OF_ABC: [u8; 32] = [
    0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23,
    0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad,
];

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(10);
    // Messages of all lengths around block boundaries, and the empty message.
    let mut messages: Vec<Vec<u8>> = (0..MESSAGES)
        .map(|index| random.bytes(index % 200))
        .collect();
    messages[3] = b"abc".to_vec();
    let mut starts = vec![0u32];
    for message in &messages {
        starts.push(starts[starts.len() - 1] + message.len() as u32);
    }
    let program = session.program(include_str!("sha256.cl"), "")?;
    let text = session.buffer(&messages.concat())?;
    let starts = session.buffer(&starts)?;
    let digests = session.zeros::<[u8; 32]>(MESSAGES)?;
    session.run(
        &program.kernel("sha256")?,
        &[MESSAGES],
        &[],
        &[&text, &starts, &digests],
    )?;
    let got = session.read(&digests)?;
    equal("the standard's example", &got[3..4], &[OF_ABC])?;
    let expected: Vec<[u8; 32]> = messages.iter().map(|message| sha256(message)).collect();
    equal("digests", &got, &expected)
}

/// The first 32 bits of the fraction of a prime's root: `degree` 2 or 3.
fn fraction(prime: u128, degree: u32) -> u32 {
    // The largest r with r^degree <= prime * 2^(32 degree).
    let target = prime << (32 * degree);
    let mut root = 0u128;
    for bit in (0..36).rev() {
        let candidate = root | 1 << bit;
        if candidate.pow(degree) <= target {
            root = candidate;
        }
    }
    root as u32
}

fn sha256(message: &[u8]) -> [u8; 32] {
    let primes: Vec<u128> = (2..312)
        .filter(|n| (2..*n).all(|d| n % d != 0))
        .take(64)
        .collect();
    let constants: Vec<u32> = primes.iter().map(|&prime| fraction(prime, 3)).collect();
    let mut hash: Vec<u32> = primes[..8]
        .iter()
        .map(|&prime| fraction(prime, 2))
        .collect();
    let mut padded = message.to_vec();
    padded.push(0x80);
    padded.resize((message.len() + 9).next_multiple_of(64) - 8, 0);
    padded.extend((message.len() as u64 * 8).to_be_bytes());
    for block in padded.chunks(64) {
        let mut w: Vec<u32> = block
            .chunks(4)
            .map(|bytes| u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
            .collect();
        for t in 16..64 {
            let (x, y) = (w[t - 15], w[t - 2]);
            let s0 = x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3);
            let s1 = y.rotate_right(17) ^ y.rotate_right(19) ^ (y >> 10);
            w.push(
                w[t - 16]
                    .wrapping_add(s0)
                    .wrapping_add(w[t - 7])
                    .wrapping_add(s1),
            );
        }
        let mut v = hash.clone();
        for t in 0..64 {
            let (a, e) = (v[0], v[4]);
            let choice = (e & v[5]) | (!e & v[6]);
            let majority = (a & v[1]) | (a & v[2]) | (v[1] & v[2]);
            let first = [
                v[7],
                e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25),
                choice,
                constants[t],
                w[t],
            ]
            .into_iter()
            .fold(0, u32::wrapping_add);
            let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            v.rotate_right(1);
            v[4] = v[4].wrapping_add(first);
            v[0] = first.wrapping_add(s0).wrapping_add(majority);
        }
        for (h, v) in hash.iter_mut().zip(v) {
            *h = h.wrapping_add(v);
        }
    }
    let mut digest = [0; 32];
    for (bytes, word) in digest.chunks_mut(4).zip(hash) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    digest
}
