//! Sobel's edges of an image of bytes; gradients as an image of shorts.

use crate::compare::equal;
use anyhow::Result;
use harness::image::Shape;
use harness::random::Random;
use harness::session::Session;
use opencl3::memory::{CL_R, CL_RGBA, CL_SIGNED_INT16, CL_UNSIGNED_INT8};

const WIDTH: usize = 83;
const HEIGHT: usize = 59;

pub fn run(session: &Session) -> Result<()> {
    let picture = Random::new(42).bytes(WIDTH * HEIGHT);
    let program = session.program(include_str!("sobel.cl"), "")?;
    let size = Shape::Plane(WIDTH, HEIGHT);
    let from = session.image((CL_R, CL_UNSIGNED_INT8), size, &picture)?;
    let edges = session.image((CL_R, CL_UNSIGNED_INT8), size, &picture)?;
    let untouched = vec![[7i16; 4]; WIDTH * HEIGHT];
    let gradients = session.image((CL_RGBA, CL_SIGNED_INT16), size, &untouched)?;
    let inner = &[WIDTH - 2, HEIGHT - 2];
    session.run(
        &program.kernel("sobel")?,
        inner,
        &[],
        &[&from, &edges, &gradients],
    )?;
    let (mut expected_edges, mut expected_gradients) = (picture.clone(), untouched);
    for y in 1..HEIGHT - 1 {
        for x in 1..WIDTH - 1 {
            let (mut gx, mut gy) = (0, 0);
            for place in 0..9 {
                let (dx, dy) = (place % 3 - 1, place / 3 - 1);
                let at = (y as i32 + dy) * WIDTH as i32 + x as i32 + dx;
                let value = i32::from(picture[at as usize]);
                gx += dx * (2 - dy.abs()) * value;
                gy += dy * (2 - dx.abs()) * value;
            }
            expected_edges[y * WIDTH + x] = (gx.abs() + gy.abs()).min(255) as u8;
            expected_gradients[y * WIDTH + x] = [gx as i16, gy as i16, 0, 1];
        }
    }
    equal("edges", &session.read_image(&edges)?, &expected_edges)?;
    equal(
        "gradients",
        &session.read_image(&gradients)?,
        &expected_gradients,
    )
}
