//! Maximum intensity projection of a volume.

use crate::compare::{Tolerance, close};
use anyhow::Result;
use harness::image::Shape;
use harness::random::Random;
use harness::session::{Argument, Float4, Session};
use opencl3::memory::{CL_R, CL_UNORM_INT8};

const SIZE: [usize; 3] = [30, 26, 20];
const ALONG: [f64; 3] = [0.25, -0.125, 0.5];
const STEPS: usize = 44;

pub fn run(session: &Session) -> Result<()> {
    let [width, height, depth] = SIZE;
    let volume = Random::new(43).bytes(width * height * depth);
    let program = session.program(include_str!("volume_projection.cl"), "")?;
    let there = session.image(
        (CL_R, CL_UNORM_INT8),
        Shape::Volume(width, height, depth),
        &volume,
    )?;
    let picture = session.zeros::<f32>(width * height)?;
    let along = Float4([ALONG[0] as f32, ALONG[1] as f32, ALONG[2] as f32, 0.0]);
    let arguments: [&dyn Argument; 4] = [&there, &picture, &along, &(STEPS as i32)];
    session.run(
        &program.kernel("project")?,
        &[width, height],
        &[],
        &arguments,
    )?;

    let value = |place: [f64; 3]| {
        let inside = (0..3).all(|axis| (0.0..SIZE[axis] as f64).contains(&place[axis]));
        let [x, y, z] = place.map(|at| at as usize);
        if inside {
            f64::from(volume[(z * height + y) * width + x]) / 255.0
        } else {
            0.0
        }
    };
    let mut expected = Vec::new();
    for place in 0..width * height {
        let start = [
            (place % width) as f64 + 0.5,
            (place / width) as f64 + 0.5,
            0.0,
        ];
        let mut brightest = 0.0f64;
        for step in 0..STEPS {
            let at = [0, 1, 2].map(|axis| start[axis] + ALONG[axis] * step as f64 - 0.5);
            let mut sum = 0.0;
            for corner in 0..8 {
                let mut weight = 1.0;
                let mut pixel = [0.0; 3];
                for axis in 0..3 {
                    let part = at[axis] - at[axis].floor();
                    let far = corner >> axis & 1 == 1;
                    weight *= if far { part } else { 1.0 - part };
                    pixel[axis] = at[axis].floor() + f64::from(u8::from(far));
                }
                sum += weight * value(pixel);
            }
            brightest = brightest.max(sum);
        }
        expected.push(brightest);
    }
    // Places are multiples of 1/8 and weights products of them, exact in floats; bytes
    // are within 1.5 ulp of 1/255 and eight terms are added.
    close(
        "picture",
        &session.read(&picture)?,
        &expected,
        Tolerance::absolute(1e-6),
    )
}
