//! Powers modulo the prime 2^255 - 19 and another odd number, against doubling and adding.

use crate::compare::equal;
use anyhow::Result;
use harness::random::Random;
use harness::session::{Argument, Session};

const POWERS: usize = 48;

/// A number as limbs, least significant first.
type Number = [u64; 4];

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(48);
    let program = session.program(include_str!("modular_power.cl"), "")?;
    let kernel = program.kernel("power")?;
    let prime = [0u64.wrapping_sub(19), u64::MAX, u64::MAX, u64::MAX >> 1];
    let full = [u64::MAX - 188, u64::MAX, 5, u64::MAX];
    for modulus in [prime, full] {
        let mut number = || [0; 4].map(|_| random.bits());
        let bases: Vec<Number> = (0..POWERS).map(|_| below(number(), modulus)).collect();
        let mut exponents: Vec<Number> = (0..POWERS).map(|_| number()).collect();
        exponents[0] = [0; 4];
        // Fermat: this power of anything is 1 modulo the prime.
        exponents[1] = [prime[0] - 1, prime[1], prime[2], prime[3]];
        let mut one = [1, 0, 0, 0];
        (0..256).for_each(|_| one = sum(one, one, modulus));
        let square = product(one, one, modulus);
        // Newton's iteration for the inverse of the lowest limb, negated.
        let inverse = (0..6).fold(1u64, |x, _| {
            x.wrapping_mul(2u64.wrapping_sub(modulus[0].wrapping_mul(x)))
        });
        let inverse = inverse.wrapping_neg();

        let (there, exponents_there) = (session.buffer(&bases)?, session.buffer(&exponents)?);
        let results = session.zeros::<Number>(POWERS)?;
        let arguments: [&dyn Argument; 7] = [
            &there,
            &exponents_there,
            &results,
            &modulus,
            &inverse,
            &one,
            &square,
        ];
        session.run(&kernel, &[POWERS], &[], &arguments)?;
        let got = session.read(&results)?;
        if modulus == prime {
            equal("Fermat's power", &got[1..2], &[[1, 0, 0, 0]])?;
        }
        let expected: Vec<Number> = bases
            .iter()
            .zip(&exponents)
            .map(|(&base, exponent)| {
                let mut result = [1, 0, 0, 0];
                let mut square = base;
                for bit in 0..256 {
                    if exponent[bit / 64] >> (bit % 64) & 1 == 1 {
                        result = product(result, square, modulus);
                    }
                    square = product(square, square, modulus);
                }
                result
            })
            .collect();
        equal("powers", &got, &expected)?;
    }
    Ok(())
}

fn less(a: Number, b: Number) -> bool {
    a.iter().rev().lt(b.iter().rev())
}

/// `a` - `b`, modulo 2^256.
fn difference(a: Number, b: Number) -> Number {
    let mut borrow = false;
    std::array::from_fn(|i| {
        let (part, first) = a[i].overflowing_sub(b[i]);
        let (part, second) = part.overflowing_sub(u64::from(borrow));
        borrow = first || second;
        part
    })
}

fn below(a: Number, modulus: Number) -> Number {
    if less(a, modulus) {
        a
    } else {
        below(difference(a, modulus), modulus)
    }
}

/// The sum of two numbers below the modulus; it overflows unless b is less than modulus - a.
fn sum(a: Number, b: Number, modulus: Number) -> Number {
    let room = difference(modulus, a);
    if less(b, room) {
        difference(a, difference([0; 4], b))
    } else {
        difference(b, room)
    }
}

fn product(a: Number, b: Number, modulus: Number) -> Number {
    (0..256).rev().fold([0; 4], |so_far, bit| {
        let doubled = sum(so_far, so_far, modulus);
        if b[bit / 64] >> (bit % 64) & 1 == 1 {
            sum(doubled, a, modulus)
        } else {
            doubled
        }
    })
}
