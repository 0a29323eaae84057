//! An array of images and a one-dimensional image as a table of colours.

use crate::compare::{Tolerance, close, equal};
use anyhow::Result;
use harness::image::Shape;
use harness::random::Random;
use harness::session::{Argument, Float4, Session};
use opencl3::memory::{CL_FLOAT, CL_R, CL_RGBA, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32};

const WIDTH: usize = 37;
const HEIGHT: usize = 22;
const LAYERS: usize = 5;
const COLOURS: usize = 9;

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(63);
    let layers: Vec<u16> = (0..WIDTH * HEIGHT * LAYERS)
        .map(|_| random.bits() as u16)
        .collect();
    let table: Vec<Float4> = (0..COLOURS)
        .map(|_| Float4([0; 4].map(|_| random.float(0.0, 1.0))))
        .collect();
    let program = session.program(include_str!("image_layers.cl"), "")?;
    let stack = Shape::Stack(WIDTH, HEIGHT, LAYERS);
    let layers_there = session.image((CL_R, CL_UNSIGNED_INT16), stack, &layers)?;
    let table_there = session.image((CL_RGBA, CL_FLOAT), Shape::Line(COLOURS), &table)?;
    let plane = Shape::Plane(WIDTH, HEIGHT);
    let empty = vec![[9u32; 4]; WIDTH * HEIGHT];
    let mean = session.image((CL_RGBA, CL_UNSIGNED_INT32), plane, &empty)?;
    let coloured = session.zeros::<Float4>(WIDTH * HEIGHT)?;
    let arguments: [&dyn Argument; 4] = [&layers_there, &table_there, &mean, &coloured];
    session.run(
        &program.kernel("colour")?,
        &[WIDTH, HEIGHT],
        &[],
        &arguments,
    )?;

    let (mut means, mut colours) = (Vec::new(), Vec::new());
    for place in 0..WIDTH * HEIGHT {
        let values = (0..LAYERS).map(|layer| layers[layer * WIDTH * HEIGHT + place]);
        let sum: u32 = values.clone().map(u32::from).sum();
        means.push([sum / LAYERS as u32, LAYERS as u32, 0, 0]);
        for channel in 0..4 {
            let entry = |index: usize| f64::from(table[index.min(COLOURS - 1)].0[channel]);
            let colours_of_layers = values.clone().map(|value| {
                let at = f64::from(value) / 65535.0 * (COLOURS - 1) as f64;
                let (low, part) = (at as usize, at.fract());
                entry(low) + part * (entry(low + 1) - entry(low))
            });
            colours.push(colours_of_layers.sum::<f64>() / LAYERS as f64);
        }
    }
    equal("means", &session.read_image(&mean)?, &means)?;
    let got: Vec<f32> = session
        .read(&coloured)?
        .iter()
        .flat_map(|pixel| pixel.0)
        .collect();
    // Coordinates below 9 within 1e-6, neighbours that differ by up to 1. (A device that
    // filters with weights of 8 bits would need 2^-8.)
    close("coloured", &got, &colours, Tolerance::absolute(4e-6))
}
