//! Gaussian blur of an image of bytes.

use crate::compare::{Tolerance, close};
use anyhow::Result;
use harness::image::Shape;
use harness::random::Random;
use harness::session::{Argument, Session};
use opencl3::memory::{CL_RGBA, CL_UNORM_INT8};

const WIDTH: usize = 101;
const HEIGHT: usize = 67;
const RADIUS: usize = 4;

pub fn run(session: &Session) -> Result<()> {
    let picture: Vec<[u8; 4]> = Random::new(40)
        .words(WIDTH * HEIGHT)
        .into_iter()
        .map(u32::to_le_bytes)
        .collect();
    let bells: Vec<f32> = (0..=RADIUS)
        .map(|i| (-(i as f32).powi(2) / 8.0).exp())
        .collect();
    let total = bells[0] + 2.0 * bells[1..].iter().sum::<f32>();
    let weights: Vec<f32> = bells.iter().map(|bell| bell / total).collect();

    let program = session.program(include_str!("gaussian_blur.cl"), "")?;
    let kernel = program.kernel("blur")?;
    let format = (CL_RGBA, CL_UNORM_INT8);
    let size = Shape::Plane(WIDTH, HEIGHT);
    let from = session.image(format, size, &picture)?;
    let black = vec![[0u8; 4]; WIDTH * HEIGHT];
    let (across, down) = (
        session.image(format, size, &black)?,
        session.image(format, size, &black)?,
    );
    let there = session.buffer(&weights)?;
    let items = [WIDTH.next_multiple_of(16), HEIGHT.next_multiple_of(8)];
    for (input, output, direction) in [(&from, &across, [1i32, 0]), (&across, &down, [0, 1])] {
        let radius = RADIUS as i32;
        let arguments: [&dyn Argument; 5] = [input, output, &there, &radius, &direction];
        session.run(&kernel, &items, &[16, 8], &arguments)?;
        let before: Vec<[u8; 4]> = session.read_image(input)?;
        let expected = blur(&before, &weights, direction);
        let got = session.read_image(output)?.concat();
        // Section 8.3.1.2 allows 0.6 for the rounding to a byte; the floats' own errors
        // are far below.
        let what = format!("blur along {direction:?}");
        close(&what, &got, &expected, Tolerance::absolute(0.601))?;
    }
    Ok(())
}

/// The blurred picture, in units of a byte.
fn blur(picture: &[[u8; 4]], weights: &[f32], direction: [i32; 2]) -> Vec<f64> {
    let mut result = Vec::new();
    for place in 0..WIDTH * HEIGHT {
        let mut sum = [0.0; 4];
        for i in -(RADIUS as i32)..=RADIUS as i32 {
            let moved = |at: usize, step: i32, size: usize| {
                (at as i32 + i * step).clamp(0, size as i32 - 1) as usize
            };
            let x = moved(place % WIDTH, direction[0], WIDTH);
            let y = moved(place / WIDTH, direction[1], HEIGHT);
            let weight = f64::from(weights[i.unsigned_abs() as usize]);
            for (sum, channel) in sum.iter_mut().zip(picture[y * WIDTH + x]) {
                *sum += weight * f64::from(channel);
            }
        }
        result.extend(sum);
    }
    result
}
