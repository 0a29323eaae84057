//! Simulations, signals and finance.

pub mod black_scholes;
pub mod double_buffer;
pub mod game_of_life;
pub mod half_smoothing;
pub mod lattice_boltzmann;
pub mod lattice_gas;
pub mod monte_carlo;
pub mod nbody;
pub mod reaction_diffusion;
pub mod stencil;
