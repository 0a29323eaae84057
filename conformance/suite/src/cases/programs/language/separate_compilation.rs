//! Planets around a sun: three units with a common header, compiled one by one, one of
//! them put into a library, and linked; against Kepler's equation.

use crate::compare::{Tolerance, close};
use anyhow::Result;
use bytemuck::{Pod, Zeroable};
use harness::random::Random;
use harness::session::Session;

const SYSTEMS: usize = 100;
const STEPS: u32 = 400;
const STEP: f64 = 1.0 / 256.0;
const ATTRACTION: f64 = 2.0;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(32))]
struct State {
    phase: [[f64; 4]; 3],
    time: [f64; 4],
}

pub fn run(session: &Session) -> Result<()> {
    let header = ("orbit.h", include_str!("separate_compilation.h"));
    let attraction = format!("-DATTRACTION={ATTRACTION:?}");
    let kernels = session.compile(include_str!("separate_compilation.cl"), &attraction, header)?;
    let steps = session.compile(include_str!("separate_compilation_steps.cl"), "", header)?;
    let energy = session.compile(include_str!("separate_compilation_energy.cl"), "", header)?;
    let library = session.link(&[&energy], "-create-library")?;
    let program = session.link(&[&steps, &kernels, &library], "")?;

    // Each planet starts at its nearest place to the sun, at 1 / (1 + eccentricity) of
    // the speed of escape squared.
    let mut random = Random::new(34);
    let mut states = Vec::new();
    let (mut expected, mut energies) = (Vec::new(), Vec::new());
    for _ in 0..SYSTEMS {
        let mut state = State::zeroed();
        let mut energy = 0.0;
        for phase in &mut state.phase {
            let (nearest, eccentricity) = (random.double(1.0, 2.0), random.double(0.0, 0.5));
            let speed = (ATTRACTION * (1.0 + eccentricity) / nearest).sqrt();
            *phase = [nearest, 0.0, 0.0, speed];
            expected.extend(kepler(nearest, eccentricity));
            energy -= ATTRACTION * (1.0 - eccentricity) / (2.0 * nearest);
        }
        states.push(state);
        energies.push(energy);
    }
    let there = session.buffer(&states)?;
    let energies_there = session.zeros::<f64>(SYSTEMS)?;
    let kernel = program.kernel("orbits")?;
    session.run(
        &kernel,
        &[SYSTEMS],
        &[],
        &[&there, &energies_there, &STEP, &STEPS],
    )?;
    let got: Vec<f64> = session
        .read(&there)?
        .iter()
        .flat_map(|state| state.phase)
        .flat_map(|phase| [phase[0], phase[1]])
        .collect();
    // The method's own error, of the order of STEP^4 = 2e-10 by the fifth derivative of the
    // motion, is the larger part; with steps half as long it is 16 times smaller.
    close("places", &got, &expected, Tolerance::absolute(1e-8))?;
    close(
        "energies",
        &session.read(&energies_there)?,
        &energies,
        Tolerance::absolute(1e-8),
    )
}

/// Where a planet is after all steps.
fn kepler(nearest: f64, eccentricity: f64) -> [f64; 2] {
    let axis = nearest / (1.0 - eccentricity);
    let mean = (ATTRACTION / axis.powi(3)).sqrt() * STEP * f64::from(STEPS);
    let mut anomaly = mean;
    for _ in 0..100 {
        let error = anomaly - eccentricity * anomaly.sin() - mean;
        anomaly -= error / (1.0 - eccentricity * anomaly.cos());
    }
    let minor = axis * (1.0 - eccentricity * eccentricity).sqrt();
    [axis * (anomaly.cos() - eccentricity), minor * anomaly.sin()]
}
