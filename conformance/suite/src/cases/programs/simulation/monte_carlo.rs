//! Monte Carlo: the same random numbers give the same counts and pay-offs.

use crate::compare::{Tolerance, close, equal};
use anyhow::Result;
use bytemuck::{Pod, Zeroable};
use harness::session::Session;
use std::f64::consts::{PI, TAU};

const ITEMS: usize = 512;
const DRAWS: usize = 200;
const STEPS: usize = 25;
const SEED: u64 = 0x0123_4567_89AB_CDEF;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Contract {
    spot: f64,
    strike: f64,
    rate: f64,
    volatility: f64,
    years: f64,
}

const CONTRACT: Contract = Contract {
    spot: 100.0,
    strike: 95.0,
    rate: 0.03,
    volatility: 0.25,
    years: 0.5,
};

/// O'Neill's PCG-XSH-RR 64/32.
struct Pcg {
    state: u64,
    increment: u64,
}

impl Pcg {
    fn new(stream: u64) -> Self {
        let increment = 2 * stream + 1;
        // From state 0, one step leads to the increment.
        let mut pcg = Self {
            state: increment.wrapping_add(SEED),
            increment,
        };
        pcg.next();
        pcg
    }

    fn next(&mut self) -> u32 {
        let before = self.state;
        self.state = before
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(self.increment);
        ((((before >> 18) ^ before) >> 27) as u32).rotate_right((before >> 59) as u32)
    }
}

pub fn run(session: &Session) -> Result<()> {
    let options = format!("-DDRAWS={DRAWS} -DSTEPS={STEPS}");
    let program = session.program(include_str!("monte_carlo.cl"), &options)?;
    let inside = session.zeros::<u64>(ITEMS)?;
    session.run(&program.kernel("pi")?, &[ITEMS], &[], &[&SEED, &inside])?;
    let payoffs = session.zeros::<f64>(2 * ITEMS)?;
    let call = program.kernel("asian_call")?;
    session.run(&call, &[ITEMS], &[], &[&SEED, &CONTRACT, &payoffs])?;

    let inside = session.read(&inside)?;
    let expected: Vec<u64> = (0..ITEMS as u64)
        .map(|stream| {
            let mut pcg = Pcg::new(stream);
            let mut draw = || u128::from(pcg.next() / 2);
            let hits = (0..DRAWS).filter(|_| draw().pow(2) + draw().pow(2) < 1 << 62);
            hits.count() as u64
        })
        .collect();
    equal("points in the circle", &inside, &expected)?;
    let total = inside.iter().sum::<u64>() as f64;
    let draws = (ITEMS * DRAWS) as f64;
    // Four standard deviations of 4 * binomial(draws, pi / 4) / draws.
    let spread = 4.0 * (PI * (4.0 - PI) / draws).sqrt();
    close(
        "pi",
        &[4.0 * total / draws],
        &[PI],
        Tolerance::absolute(spread),
    )?;

    let mut expected = Vec::new();
    for stream in 0..ITEMS as u64 {
        let mut pcg = Pcg::new(stream);
        let mut normals = [Vec::new(), Vec::new()];
        for _ in 0..STEPS {
            let radius = (-2.0 * ((f64::from(pcg.next()) + 0.5) / 2f64.powi(32)).ln()).sqrt();
            let angle = TAU * f64::from(pcg.next()) / 2f64.powi(32);
            normals[0].push(radius * angle.sin());
            normals[1].push(radius * angle.cos());
        }
        expected.extend(normals.map(|path| payoff(&path)));
    }
    // Prices near 100 with the 4 ulp of logarithm, sine and exponential in each step:
    // 100 * 25 * 12 * 2^-53 = 4e-12.
    close(
        "pay-offs",
        &session.read(&payoffs)?,
        &expected,
        Tolerance::absolute(4e-12),
    )
}

fn payoff(normals: &[f64]) -> f64 {
    let c = CONTRACT;
    let step = c.years / STEPS as f64;
    let mut price = c.spot.ln();
    let mut sum = 0.0;
    for normal in normals {
        price += (c.rate - c.volatility.powi(2) / 2.0) * step + c.volatility * step.sqrt() * normal;
        sum += price.exp();
    }
    (sum / STEPS as f64 - c.strike).max(0.0) * (-c.rate * c.years).exp()
}
