//! Random kernels of the run's seed, compared with an interpreter. They have barriers in all kinds
//! of uniform control flow: loops, branches, switches, functions, and after early exits.

use crate::case::{Case, Category};
use anyhow::Result;
use harness::session::Session;
use random_kernels::generator::Profile;
use random_kernels::runner;

/// Number of kernels per case.
const KERNELS: u64 = 20;

/// PoCL 3.1 cannot compile `goto` into loops, which OpenCL C allows but programs rarely use. `cargo
/// xtask random-kernels` generates them.
const BARRIERS: Profile = Profile {
    reducible: true,
    barriers: true,
    dimensions: None,
};

/// The seeds of a case's kernels differ from those of other cases and of the next runs.
fn run(session: &Session, case: u64, profile: Profile) -> Result<()> {
    let first = session.random().bits() >> 16 & !0xFFFF;
    let first = first + case * KERNELS;
    for seed in first..first + KERNELS {
        runner::check(session, seed, profile)?;
        session.forget_sources()?;
    }
    Ok(())
}

fn barriers(session: &Session, dimensions: usize) -> Result<()> {
    let dimensions_only = Profile {
        dimensions: Some(dimensions),
        ..BARRIERS
    };
    run(session, dimensions as u64, dimensions_only)
}

const fn case(name: &'static str, what: &'static str, run: fn(&Session) -> Result<()>) -> Case {
    Case::new(Category::Generated, name, what, run)
}

/// The cases of this category.
pub const CASES: &[Case] = &[
    case(
        "barrier_placements_in_one_dimension",
        "20 kernels with barriers in loops, conditions, switches, functions, after returns",
        |session| barriers(session, 1),
    ),
    case(
        "barrier_placements_in_two_dimensions",
        "20 more, in groups of two dimensions",
        |session| barriers(session, 2),
    ),
    case(
        "barrier_placements_in_three_dimensions",
        "20 more, in groups of three dimensions",
        |session| barriers(session, 3),
    ),
    case(
        "kernels_of_all_sorts",
        "20 kernels of all types, operators and statements",
        |session| {
            let profile = Profile {
                reducible: true,
                ..Profile::default()
            };
            run(session, 0, profile)
        },
    ),
];
