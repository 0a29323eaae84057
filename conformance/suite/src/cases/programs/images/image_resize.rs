//! Bilinear resizing, larger and smaller, against the formulas of section 8.2.

use crate::compare::{Tolerance, close};
use anyhow::Result;
use harness::image::Shape;
use harness::random::Random;
use harness::session::{Float4, Session};
use opencl3::memory::{CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, CL_FLOAT, CL_RGBA};

const WIDTH: usize = 40;
const HEIGHT: usize = 30;

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(41);
    let picture: Vec<Float4> = (0..WIDTH * HEIGHT)
        .map(|_| Float4([0; 4].map(|_| random.float(0.0, 1.0))))
        .collect();
    let program = session.program(include_str!("image_resize.cl"), "")?;
    let kernel = program.kernel("resize")?;
    let format = (CL_RGBA, CL_FLOAT);
    let from = session.image(format, Shape::Plane(WIDTH, HEIGHT), &picture)?;
    let sampler = session.sampler(true, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR)?;
    for (width, height) in [(97, 64), (25, 13), (WIDTH, HEIGHT)] {
        let empty = vec![Float4::default(); width * height];
        let to = session.image(format, Shape::Plane(width, height), &empty)?;
        session.run(&kernel, &[width, height], &[], &[&from, &to, &sampler])?;
        let mut expected = Vec::new();
        for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
            let u = (x as f64 + 0.5) / width as f64 * WIDTH as f64 - 0.5;
            let v = (y as f64 + 0.5) / height as f64 * HEIGHT as f64 - 0.5;
            for channel in 0..4 {
                let pixel = |x: f64, y: f64| {
                    let x = x.clamp(0.0, WIDTH as f64 - 1.0) as usize;
                    let y = y.clamp(0.0, HEIGHT as f64 - 1.0) as usize;
                    f64::from(picture[y * WIDTH + x].0[channel])
                };
                let (left, top) = (u.floor(), v.floor());
                let row =
                    |y: f64| pixel(left, y) + (u - left) * (pixel(left + 1.0, y) - pixel(left, y));
                expected.push(row(top) + (v - top) * (row(top + 1.0) - row(top)));
            }
        }
        let got: Vec<f32> = session
            .read_image(&to)?
            .iter()
            .flat_map(|pixel| pixel.0)
            .collect();
        // A coordinate below 40 is within 3e-6 of the exact one, and neighbours differ by
        // up to 1 in each direction. (A device that filters with weights of 8 bits, as
        // the specification allows, would need 2^-8.)
        close(
            &format!("{width} x {height}"),
            &got,
            &expected,
            Tolerance::absolute(1e-5),
        )?;
    }
    Ok(())
}
