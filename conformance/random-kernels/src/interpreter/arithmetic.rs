//! Operators and builtins on components. A component is represented by its mathematical value.

use super::undefined::Undefined;
use crate::ast::{Builtin, Comparison, Operator};
use crate::types::{Scalar, Type};

/// Components of a value; those beyond its width are unused.
pub type Components = [i128; 16];

fn shift_amount(ty: Type, amount: i128) -> u32 {
    // Section 6.3.j: the low log2(N) bits, where N is the bits of the promoted left operand.
    let bits = if ty.width == 1 {
        ty.scalar.bits().max(32)
    } else {
        ty.scalar.bits()
    };
    (amount & i128::from(bits - 1)) as u32
}

const SUMS_AND_PRODUCTS: &[Operator] = &[Operator::Add, Operator::Subtract, Operator::Multiply];

/// An operator on operands of type `ty`. With `plain`, signed overflow is undefined.
pub fn binary(
    operator: Operator,
    ty: Type,
    plain: bool,
    left: i128,
    right: i128,
) -> Result<i128, Undefined> {
    let scalar = ty.scalar;
    // Narrow scalars are computed as `int`.
    let overflows = |value: i128| {
        let promoted = ty.width == 1 && scalar.bits() < 32;
        scalar.signed() && !promoted && scalar.wrap(value) != value
    };
    if scalar.is_real() && !SUMS_AND_PRODUCTS.contains(&operator) {
        return Err(Undefined::new("not an operator of floating-point numbers"));
    }
    let result = match operator {
        Operator::Add => left + right,
        Operator::Subtract => left - right,
        Operator::Multiply => left.wrapping_mul(right),
        Operator::Divide | Operator::Remainder => {
            if right == 0 {
                return Err(Undefined::new("division by zero"));
            }
            if overflows(left / right) {
                return Err(Undefined::new("a quotient overflows"));
            }
            if operator == Operator::Divide {
                left / right
            } else {
                left % right
            }
        }
        Operator::And => left & right,
        Operator::Or => left | right,
        Operator::Xor => left ^ right,
        Operator::ShiftLeft => left << shift_amount(ty, right),
        Operator::ShiftRight => left >> shift_amount(ty, right),
    };
    if plain && SUMS_AND_PRODUCTS.contains(&operator) && overflows(result) {
        return Err(Undefined::new("signed overflow"));
    }
    Ok(scalar.wrap(result))
}

/// A comparison.
pub fn compare(comparison: Comparison, left: i128, right: i128) -> bool {
    match comparison {
        Comparison::Less => left < right,
        Comparison::LessOrEqual => left <= right,
        Comparison::Greater => left > right,
        Comparison::GreaterOrEqual => left >= right,
        Comparison::Equal => left == right,
        Comparison::NotEqual => left != right,
    }
}

/// The result of a comparison or logical operator of type `ty` (sections 6.3.d to 6.3.g).
pub fn truth(ty: Type, value: bool) -> i128 {
    match (value, ty.width) {
        (false, _) => 0,
        (true, 1) => 1,
        (true, _) => -1,
    }
}

/// Whether the most significant bit is set.
pub fn top_bit(scalar: Scalar, value: i128) -> bool {
    scalar.to_signed().wrap(value) < 0
}

fn high_half(scalar: Scalar, left: i128, right: i128) -> i128 {
    if scalar.signed() {
        (left * right) >> scalar.bits()
    } else {
        // The product of two `ulong`s needs all 128 bits.
        ((left as u128 * right as u128) >> scalar.bits()) as i128
    }
}

fn mad_sat(scalar: Scalar, [a, b, c]: [i128; 3]) -> i128 {
    if scalar.signed() {
        scalar.saturate(a * b + c)
    } else {
        // The product of two `ulong`s needs all 128 bits.
        let sum = a as u128 * b as u128 + c as u128;
        sum.min(scalar.max() as u128) as i128
    }
}

fn rotate(scalar: Scalar, value: i128, amount: i128) -> i128 {
    let bits = scalar.bits();
    let amount = (amount & i128::from(bits - 1)) as u32;
    let pattern = scalar.to_unsigned().wrap(value);
    scalar.wrap((pattern << amount) | (pattern >> (bits - amount)))
}

/// A builtin that works component by component, on arguments of component type `scalar`, which is
/// that of the first argument.
pub fn builtin(
    builtin: Builtin,
    scalar: Scalar,
    width: usize,
    arguments: &[i128],
) -> Result<i128, Undefined> {
    let a = arguments[0];
    let b = arguments.get(1).copied().unwrap_or_default();
    let c = arguments.get(2).copied().unwrap_or_default();
    let bits = scalar.bits();
    let raw = scalar.to_unsigned().wrap(a) as u64;
    let within_24_bits = |value: i128| {
        if scalar.signed() {
            (-(1 << 23)..1 << 23).contains(&value)
        } else {
            value < 1 << 24
        }
    };
    Ok(match builtin {
        Builtin::Abs | Builtin::Fabs => a.abs(),
        Builtin::Fma => scalar.saturate(a * b + c),
        Builtin::Fmod => {
            if b == 0 {
                return Err(Undefined::new("fmod by zero"));
            }
            a % b
        }
        Builtin::Floor => a.div_euclid(4),
        Builtin::Ceil => -(-a).div_euclid(4),
        Builtin::Trunc => a / 4,
        Builtin::Rint => (a as f64 / 4.0).round_ties_even() as i128,
        Builtin::AbsDiff => (a - b).abs(),
        Builtin::AddSat => scalar.saturate(a + b),
        Builtin::SubSat => scalar.saturate(a - b),
        Builtin::Bitselect => (a & !c) | (b & c),
        Builtin::Clamp => {
            if b > c {
                return Err(Undefined::new("clamp with its limits in the wrong order"));
            }
            a.max(b).min(c)
        }
        Builtin::Clz => (raw.leading_zeros() - (64 - bits)).into(),
        Builtin::Hadd => (a + b) >> 1,
        Builtin::Rhadd => (a + b + 1) >> 1,
        Builtin::Mul24 | Builtin::Mad24 => {
            if !within_24_bits(a) || !within_24_bits(b) {
                return Err(Undefined::new("24-bit arithmetic on larger numbers"));
            }
            scalar.wrap(a * b + c)
        }
        Builtin::MadHi => scalar.wrap(high_half(scalar, a, b) + c),
        Builtin::MadSat => mad_sat(scalar, [a, b, c]),
        Builtin::Max => a.max(b),
        Builtin::Min => a.min(b),
        Builtin::MulHi => high_half(scalar, a, b),
        Builtin::Popcount => raw.count_ones().into(),
        Builtin::Rotate => rotate(scalar, a, b),
        Builtin::Select => {
            let second = if width == 1 {
                c != 0
            } else {
                top_bit(scalar, c)
            };
            if second { b } else { a }
        }
        Builtin::Upsample => (a << bits) | b,
        Builtin::All | Builtin::Any | Builtin::Shuffle | Builtin::Shuffle2 => {
            return Err(Undefined::new("not a builtin that works by components"));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: Builtin, scalar: Scalar, arguments: &[i128]) -> i128 {
        builtin(name, scalar, 1, arguments).unwrap()
    }

    #[test]
    fn shifts_take_the_low_bits_of_the_amount() {
        let char1 = Type::new(Scalar::Char, 1);
        let char2 = Type::new(Scalar::Char, 2);
        let shift = |ty, a, b| binary(Operator::ShiftRight, ty, false, a, b).unwrap();
        assert_eq!(shift(char1, -128, 9), -1);
        assert_eq!(shift(char2, -128, 9), -64);
        assert_eq!(shift(Type::new(Scalar::Uint, 1), 8, 33), 4);
        assert_eq!(shift(Type::new(Scalar::Long, 1), -4, -63), -2);
    }

    #[test]
    fn what_overflows_is_undefined_only_where_c_says_so() {
        let int = Type::new(Scalar::Int, 1);
        let char1 = Type::new(Scalar::Char, 1);
        let add = |ty, plain, a, b| binary(Operator::Add, ty, plain, a, b);
        assert!(add(int, true, i32::MAX.into(), 1).is_err());
        assert_eq!(
            add(int, false, i32::MAX.into(), 1).unwrap(),
            i128::from(i32::MIN)
        );
        assert_eq!(add(char1, true, 127, 1).unwrap(), -128);
        let divide = |ty, a, b| binary(Operator::Divide, ty, false, a, b);
        assert!(divide(int, 1, 0).is_err());
        assert!(divide(int, i32::MIN.into(), -1).is_err());
        assert_eq!(divide(char1, -128, -1).unwrap(), -128);
    }

    #[test]
    fn builtins_give_what_section_6_12_3_says() {
        let most = i128::from(u64::MAX);
        assert_eq!(call(Builtin::MulHi, Scalar::Ulong, &[most, most]), most - 1);
        assert_eq!(call(Builtin::MulHi, Scalar::Int, &[-1, 1]), -1);
        assert_eq!(
            call(Builtin::MadSat, Scalar::Ulong, &[most, most, most]),
            most
        );
        assert_eq!(call(Builtin::MadSat, Scalar::Char, &[-128, 127, -1]), -128);
        assert_eq!(call(Builtin::Hadd, Scalar::Char, &[-1, -2]), -2);
        assert_eq!(call(Builtin::Rhadd, Scalar::Char, &[-1, -2]), -1);
        assert_eq!(call(Builtin::Clz, Scalar::Short, &[1]), 15);
        assert_eq!(call(Builtin::Clz, Scalar::Uchar, &[0]), 8);
        assert_eq!(call(Builtin::Rotate, Scalar::Char, &[-127, 1]), 3);
        assert_eq!(call(Builtin::Popcount, Scalar::Char, &[-1]), 8);
        assert_eq!(call(Builtin::Upsample, Scalar::Char, &[-1, 255]), -1);
        assert_eq!(call(Builtin::AbsDiff, Scalar::Char, &[-128, 127]), 255);
        assert_eq!(
            call(Builtin::Bitselect, Scalar::Uchar, &[0xf0, 0x0f, 0x3c]),
            0xcc
        );
        assert!(builtin(Builtin::Clamp, Scalar::Int, 1, &[0, 2, 1]).is_err());
    }
}
