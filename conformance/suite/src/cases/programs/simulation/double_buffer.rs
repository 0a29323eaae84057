//! An FIR filter with asynchronous copies and two buffers, against convolution in doubles.

use crate::compare::{Tolerance, close};
use anyhow::Result;
use harness::random::Random;
use harness::session::{Argument, Session};

const TAPS: usize = 31;
const TILE: usize = 200;
const CHANNELS: usize = 3;
const GROUPS: usize = 12;

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(33);
    let options = format!("-D TAPS={TAPS} -D TILE={TILE} -D CHANNELS={CHANNELS}");
    let program = session.program(include_str!("double_buffer.cl"), &options)?;
    let kernel = program.kernel("filter")?;
    for tiles in [1, 2, 5] {
        let samples = GROUPS * tiles * TILE;
        let sound = random.floats((samples + TAPS - 1) * CHANNELS, -1.0, 1.0);
        let taps = random.floats(TAPS, -1.0, 1.0);
        let (there, taps_there) = (session.buffer(&sound)?, session.buffer(&taps)?);
        for channel in 0..CHANNELS {
            let out = session.zeros::<f32>(samples)?;
            let numbers = (tiles as u32, channel as u32);
            let arguments: [&dyn Argument; 5] = [&there, &taps_there, &out, &numbers.0, &numbers.1];
            session.run(&kernel, &[GROUPS * 64], &[64], &arguments)?;
            let expected: Vec<f64> = (0..samples)
                .map(|sample| {
                    let product = |k: usize| {
                        let place = (sample + TAPS - 1 - k) * CHANNELS + channel;
                        f64::from(taps[k]) * f64::from(sound[place])
                    };
                    (0..TAPS).map(product).sum()
                })
                .collect();
            // 31 sums and products below 31: 2 * 31 * 31 * 2^-25, rounded up.
            close(
                "filtered",
                &session.read(&out)?,
                &expected,
                Tolerance::absolute(6e-5),
            )?;
        }
    }
    Ok(())
}
