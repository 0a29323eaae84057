//! Givens rotations, which the host computes: `rotg` and `rotmg`.

use crate::real::Real;

/// The rotation that makes the second of two numbers 0: r, z, c and s. z is a short form of c and s.
pub fn rotation<T: Real>(a: T, b: T) -> (T, T, T, T) {
    let (zero, one) = (T::default(), T::from(1.0));
    if b == zero {
        return (a, zero, one, zero);
    }
    if a == zero {
        return (b, one, zero, one);
    }
    let (size_a, size_b) = (a.abs(), b.abs());
    let largest = if size_a > size_b { size_a } else { size_b };
    // Squares of scaled numbers do not overflow.
    let scale = match largest {
        _ if largest < T::SAFE_MIN => T::SAFE_MIN,
        _ if largest > T::SAFE_MAX => T::SAFE_MAX,
        _ => largest,
    };
    let (x, y) = (a / scale, b / scale);
    let length = scale * (x * x + y * y).sqrt();
    let is_negative = if size_a > size_b { a < zero } else { b < zero };
    let r = if is_negative { -length } else { length };
    let (c, s) = (a / r, b / r);
    let z = match () {
        _ if size_a > size_b => s,
        _ if c != zero => one / c,
        _ => one,
    };
    (r, z, c, s)
}

/// A modified rotation: the matrix H, and the scaled numbers.
pub struct Modified<T> {
    pub form: Form,
    /// h11, h21, h12, h22
    pub h: [T; 4],
    /// d1, d2 and x1.
    pub scales: (T, T, T),
}

/// Which elements of H are not implied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// None: H is the identity.
    Identity,
    /// All.
    Full,
    /// h21 and h12; the diagonal is 1.
    UnitDiagonal,
    /// h11 and h22; h21 is -1, and h12 is 1.
    UnitOthers,
}

impl<T: Real> Modified<T> {
    /// The places of the parameter array with what they contain; the others are left as they are.
    pub fn parameters(&self) -> impl Iterator<Item = (usize, T)> {
        let (flag, places): (f32, &[usize]) = match self.form {
            Form::Identity => (-2.0, &[]),
            Form::Full => (-1.0, &[1, 2, 3, 4]),
            Form::UnitDiagonal => (0.0, &[2, 3]),
            Form::UnitOthers => (1.0, &[1, 4]),
        };
        let elements = places.iter().map(|place| (*place, self.h[place - 1]));
        std::iter::once((0, T::from(flag))).chain(elements)
    }
}

/// The modified rotation that makes the second component of (√d1 x1, √d2 y1) 0 (Lawson, Hanson, Kincaid and
/// Krogh, 1979).
pub fn modified<T: Real>(d1: T, d2: T, x1: T, y1: T) -> Modified<T> {
    let (zero, one) = (T::default(), T::from(1.0));
    let impossible = Modified {
        form: Form::Full,
        h: [zero; 4],
        scales: (zero, zero, zero),
    };
    if d1 < zero {
        return impossible;
    }
    let p2 = d2 * y1;
    if p2 == zero {
        return Modified {
            form: Form::Identity,
            h: [one, zero, zero, one],
            scales: (d1, d2, x1),
        };
    }
    let p1 = d1 * x1;
    let (q1, q2) = (p1 * x1, p2 * y1);
    let mut rotation = if q1.abs() > q2.abs() {
        let (h21, h12) = (-y1 / x1, p2 / p1);
        let u = one - h12 * h21;
        if u <= zero {
            return impossible;
        }
        Modified {
            form: Form::UnitDiagonal,
            h: [one, h21, h12, one],
            scales: (d1 / u, d2 / u, x1 * u),
        }
    } else {
        if q2 < zero {
            return impossible;
        }
        let (h11, h22) = (p1 / p2, x1 / y1);
        let u = one + h11 * h22;
        Modified {
            form: Form::UnitOthers,
            h: [h11, -one, one, h22],
            scales: (d2 / u, d1 / u, y1 * u),
        }
    };
    rotation.rescale();
    rotation
}

impl<T: Real> Modified<T> {
    /// Brings d1 and d2 near 1, between γ⁻² and γ² with γ = 2¹².
    fn rescale(&mut self) {
        let (mut d1, mut d2, mut x1) = self.scales;
        let [mut h11, mut h21, mut h12, mut h22] = self.h;
        while let Some(factor) = step(d1) {
            self.form = Form::Full;
            (d1, x1) = (d1 * factor * factor, x1 / factor);
            (h11, h12) = (h11 / factor, h12 / factor);
        }
        while let Some(factor) = step(d2) {
            self.form = Form::Full;
            d2 = d2 * factor * factor;
            (h21, h22) = (h21 / factor, h22 / factor);
        }
        self.scales = (d1, d2, x1);
        self.h = [h11, h21, h12, h22];
    }
}

/// The factor whose square brings a number nearer 1; none if it is near enough, 0 or infinite.
fn step<T: Real>(number: T) -> Option<T> {
    let (gamma, size) = (T::from(4096.0), number.abs());
    match () {
        _ if size == T::default() || !size.is_finite() => None,
        _ if size <= T::from(5.960_464_5e-8) => Some(gamma),
        _ if size >= gamma * gamma => Some(T::from(1.0) / gamma),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotation_makes_the_second_number_zero() {
        for (a, b) in [
            (3.0, 4.0),
            (-5.0, 2.0),
            (1e300, -1e300),
            (1e-300, 2e-300),
            (0.0, 2.0),
            (7.0, 0.0),
        ] {
            let (r, _, c, s) = rotation::<f64>(a, b);
            let tolerance = 8.0 * f64::EPSILON;
            assert!(((c * a + s * b) / r - 1.0).abs() < tolerance, "{a} {b}");
            assert!((c * (b / r) - s * (a / r)).abs() < tolerance, "{a} {b}");
        }
    }

    #[test]
    fn a_modified_rotation_makes_the_second_component_zero() {
        for (d1, d2, x1, y1) in [
            (1.0, 2.0, 3.0, 4.0),
            (2.0, 1.0, 5.0, -1.0),
            (1e12, 3.0, 1e-3, 1e3),
            (1e-20, 1e20, 7.0, 1.0),
        ] {
            let rotation = modified::<f64>(d1, d2, x1, y1);
            let [h11, h21, h12, h22] = rotation.h;
            let zero = h21 * x1 + h22 * y1;
            let scale = (h21 * x1).abs() + (h22 * y1).abs();
            assert!(
                zero.abs() <= 8.0 * f64::EPSILON * scale,
                "{d1} {d2} {x1} {y1}"
            );
            let first = h11 * x1 + h12 * y1;
            assert!((first / rotation.scales.2 - 1.0).abs() < 8.0 * f64::EPSILON);
            let (before, after) = (
                d1 * x1 * x1 + d2 * y1 * y1,
                rotation.scales.0 * first * first,
            );
            assert!((after / before - 1.0).abs() < 16.0 * f64::EPSILON);
        }
    }

    #[test]
    fn impossible_and_needless_rotations_have_their_flags() {
        let flag = |rotation: Modified<f64>| rotation.parameters().next();
        assert_eq!(flag(modified(-1.0, 1.0, 1.0, 1.0)), Some((0, -1.0)));
        assert_eq!(flag(modified(1.0, 1.0, 1.0, 0.0)), Some((0, -2.0)));
    }
}
