//! Images and samplers.

use super::{Case, Category, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::{Result, ensure};

pub const CASES: &[Case] = &[Case {
    name: "convolution",
    what: "1024 x 1024 pixels of 4 bytes, 5 x 5, image and sampler",
    category: Category::Kernel,
    measure: convolution,
}];

fn convolution(mode: Mode) -> Result<Measurement> {
    const RADIUS: usize = 2;
    let size = mode.size(1024, 64);
    let session = Session::open()?;
    let kernel = session.kernel(source!("convolution.cl"), "convolution")?;
    let mut random = fastrand::Rng::with_seed(1);
    let pixels: Vec<[u8; 4]> = (0..size * size)
        .map(|_| random.u32(..).to_ne_bytes())
        .collect();
    // The binomial filter.
    let binomial = [1.0f32, 4.0, 6.0, 4.0, 1.0].map(|weight| weight / 16.0);
    let weights: Vec<f32> = binomial
        .iter()
        .flat_map(|y| binomial.map(|x| x * y))
        .collect();
    let input = session.image(size, size, &pixels)?;
    let output = session.image(size, size, &vec![[0; 4]; size * size])?;
    let filter = session.buffer(&weights)?;
    let sampler = session.sampler_of_edges()?;
    kernel.set(&[&input, &output, &sampler, &filter])?;
    let time = mode.time(|| session.run(&kernel, &[size, size], Some(&[16, 16])))?;
    let output = session.read_image(&output)?;
    // The row or column, of those with the halo, that an offset leads to.
    let at = |place: usize, offset: usize| (place + offset).saturating_sub(RADIUS).min(size - 1);
    for y in (0..size).step_by(13) {
        for x in 0..size {
            for channel in 0..4 {
                let mut sum = 0.0;
                for (i, weight) in weights.iter().enumerate() {
                    let source = at(y, i / 5) * size + at(x, i % 5);
                    sum += weight * f32::from(pixels[source][channel]);
                }
                let off = (f32::from(output[y * size + x][channel]) - sum).abs();
                // The mean is rounded to a byte.
                ensure!(off <= 0.51, "wrong pixel {x}, {y}");
            }
        }
    }
    Ok(time)
}
