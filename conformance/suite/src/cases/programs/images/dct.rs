//! JPEG's cosine transform against its definition as a double sum.

use crate::compare::{Tolerance, close};
use anyhow::Result;
use harness::random::Random;
use harness::session::Session;
use std::f64::consts::PI;

const WIDTH: usize = 96;
const HEIGHT: usize = 64;

/// The luminance table of ITU-T T.81, annex K.
#[rustfmt::skip]
const QUANTUM: [f64; 64] = [
    16., 11., 10., 16., 24., 40., 51., 61.,
    12., 12., 14., 19., 26., 58., 60., 55.,
    14., 13., 16., 24., 40., 57., 69., 56.,
    14., 17., 22., 29., 51., 87., 80., 62.,
    18., 22., 37., 56., 68., 109., 103., 77.,
    24., 35., 55., 64., 81., 104., 113., 92.,
    49., 64., 78., 87., 103., 121., 120., 101.,
    72., 92., 95., 98., 112., 100., 103., 99.,
];

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(18);
    let image: Vec<u8> = (0..WIDTH * HEIGHT)
        .map(|place| {
            let wave = ((place % WIDTH) as f64 / 7.0).sin() * ((place / WIDTH) as f64 / 5.0).cos();
            (128.0 + 110.0 * wave + random.double(-40.0, 40.0)).clamp(0.0, 255.0) as u8
        })
        .collect();
    let program = session.program(include_str!("dct.cl"), "")?;
    let (compress, expand) = (program.kernel("compress")?, program.kernel("expand")?);
    let there = session.buffer(&image)?;
    let coefficients = session.zeros::<f32>(image.len())?;
    let quantised = session.zeros::<i16>(image.len())?;
    let restored = session.zeros::<u8>(image.len())?;
    let grid = &[WIDTH, HEIGHT];
    session.run(
        &compress,
        grid,
        &[8, 8],
        &[&there, &coefficients, &quantised],
    )?;
    session.run(&expand, grid, &[8, 8], &[&quantised, &restored])?;

    let pixels: Vec<f64> = image
        .iter()
        .map(|&pixel| f64::from(pixel) - 128.0)
        .collect();
    let exact = by_block(&pixels, |block, u, v| {
        sum(|x, y| block[y * 8 + x] * basis(u, x) * basis(v, y))
    });
    // Sums of 8 products twice, below 1024 * 4; 4 ulp of cospi besides: 4096 * 24 * 2^-24.
    let rounding = 6e-3;
    let got = session.read(&coefficients)?;
    close("coefficients", &got, &exact, Tolerance::absolute(rounding))?;
    // To the nearest integer; within the rounding error a tie may go to either side.
    let nearest = Tolerance::absolute(0.5 + rounding);
    let quotients = by_block(&exact, |block, u, v| block[v * 8 + u] / QUANTUM[v * 8 + u]);
    let integers = session.read(&quantised)?;
    close("quantised", &integers, &quotients, nearest)?;
    let integers: Vec<f64> = integers.into_iter().map(f64::from).collect();
    let pixels = by_block(&integers, |block, x, y| {
        let value = sum(|u, v| block[v * 8 + u] * QUANTUM[v * 8 + u] * basis(u, x) * basis(v, y));
        (value + 128.0).clamp(0.0, 255.0)
    });
    close(
        "restored image",
        &session.read(&restored)?,
        &pixels,
        nearest,
    )
}

fn basis(frequency: usize, place: usize) -> f64 {
    let factor: f64 = if frequency == 0 { 0.125 } else { 0.25 };
    factor.sqrt() * (PI * (2 * place + 1) as f64 * frequency as f64 / 16.0).cos()
}

fn sum(term: impl Fn(usize, usize) -> f64) -> f64 {
    (0..64).map(|place| term(place % 8, place / 8)).sum()
}

/// Each element of each 8 x 8 block from the block and the element's x and y in it.
fn by_block(image: &[f64], element: impl Fn(&[f64; 64], usize, usize) -> f64) -> Vec<f64> {
    let mut result = vec![0.0; image.len()];
    for (top, left) in (0..HEIGHT)
        .step_by(8)
        .flat_map(|top| (0..WIDTH).step_by(8).map(move |left| (top, left)))
    {
        let place = |i: usize| (top + i / 8) * WIDTH + left + i % 8;
        let block: [f64; 64] = std::array::from_fn(|i| image[place(i)]);
        for i in 0..64 {
            result[place(i)] = element(&block, i % 8, i / 8);
        }
    }
    result
}
