//! Bodies that attract each other, against the sum over pairs in doubles.

use crate::compare::{Tolerance, close};
use anyhow::Result;
use harness::random::Random;
use harness::session::{Argument, Float4, Local, Session};

const BODIES: usize = 640;
const GROUP: usize = 64;
const STEPS: usize = 4;
const TIME_STEP: f32 = 1.0 / 64.0;
const SOFTENING: f64 = 0.25;

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(12);
    let bodies: Vec<Float4> = (0..BODIES)
        .map(|_| {
            let mut axis = || random.float(-4.0, 4.0);
            Float4([axis(), axis(), axis(), axis().abs() / 64.0])
        })
        .collect();
    let options = format!("-DSOFTENING={SOFTENING:?}f");
    let program = session.program(include_str!("nbody.cl"), &options)?;
    let kernel = program.kernel("advance")?;
    let mut from = session.buffer(&bodies)?;
    let mut to = session.zeros::<Float4>(BODIES)?;
    let velocities = session.zeros::<Float4>(BODIES)?;
    let shared = Local::<Float4>::new(GROUP);
    for _ in 0..STEPS {
        let arguments: [&dyn Argument; 5] = [&from, &to, &velocities, &TIME_STEP, &shared];
        session.run(&kernel, &[BODIES], &[GROUP], &arguments)?;
        std::mem::swap(&mut from, &mut to);
    }

    let mut places: Vec<[f64; 3]> = bodies
        .iter()
        .map(|body| [0, 1, 2].map(|axis| f64::from(body.0[axis])))
        .collect();
    let masses: Vec<f64> = bodies.iter().map(|body| f64::from(body.0[3])).collect();
    let mut speeds = vec![[0.0; 3]; BODIES];
    for _ in 0..STEPS {
        for a in 0..BODIES {
            for b in 0..a {
                let towards = [0, 1, 2].map(|axis| places[b][axis] - places[a][axis]);
                let square: f64 = towards.iter().map(|d| d * d).sum();
                let strength = f64::from(TIME_STEP) / (square + SOFTENING * SOFTENING).powf(1.5);
                for axis in 0..3 {
                    speeds[a][axis] += masses[b] * strength * towards[axis];
                    speeds[b][axis] -= masses[a] * strength * towards[axis];
                }
            }
        }
        for (place, speed) in places.iter_mut().zip(&speeds) {
            for axis in 0..3 {
                place[axis] += f64::from(TIME_STEP) * speed[axis];
            }
        }
    }
    let axes = |values: Vec<Float4>| -> Vec<f32> {
        let three = |value: Float4| [value.0[0], value.0[1], value.0[2]];
        values.into_iter().flat_map(three).collect()
    };
    // A place moves by sums of 640 terms below 1/16 * 16 * 1/64, each with some ten
    // roundings: sums stay below 10, so velocities are off by at most
    // 4 * 640 * 2^-24 * 10 / 64 = 3e-5; places, below 8, round to 5e-7 each step.
    let expected: Vec<f64> = speeds.concat();
    close(
        "velocities",
        &axes(session.read(&velocities)?),
        &expected,
        Tolerance::absolute(3e-5),
    )?;
    close(
        "places",
        &axes(session.read(&from)?),
        &places.concat(),
        Tolerance::absolute(5e-6),
    )
}
