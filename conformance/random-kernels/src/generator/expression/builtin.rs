//! Calls of builtin functions.

use super::*;

/// Builtins with integer results. Those of [`ALSO_REAL`] have floating-point results as well.
const BUILTINS: [Builtin; 24] = [
    Builtin::Abs,
    Builtin::AbsDiff,
    Builtin::AddSat,
    Builtin::All,
    Builtin::Any,
    Builtin::Bitselect,
    Builtin::Clamp,
    Builtin::Clz,
    Builtin::Hadd,
    Builtin::Mad24,
    Builtin::MadHi,
    Builtin::MadSat,
    Builtin::Max,
    Builtin::Min,
    Builtin::Mul24,
    Builtin::MulHi,
    Builtin::Popcount,
    Builtin::Rhadd,
    Builtin::Rotate,
    Builtin::Select,
    Builtin::Shuffle,
    Builtin::Shuffle2,
    Builtin::SubSat,
    Builtin::Upsample,
];

const ALSO_REAL: [Builtin; 6] = [
    Builtin::Clamp,
    Builtin::Max,
    Builtin::Min,
    Builtin::Select,
    Builtin::Shuffle,
    Builtin::Shuffle2,
];

impl Generator {
    /// A call with a result of this type; `None` if the chosen builtin has none of it.
    pub(super) fn builtin(&mut self, ty: Type, depth: usize, uniform: bool) -> Option<Expression> {
        let builtin = self.pick(&BUILTINS);
        if ty.scalar.is_real() && !ALSO_REAL.contains(&builtin) {
            return None;
        }
        let arguments = self.arguments(builtin, ty, depth, uniform)?;
        Some(Expression::new(ty, Kind::Call(builtin, arguments)))
    }

    /// Arguments for a result of type `ty`; `None` if the builtin has no such result.
    fn arguments(
        &mut self,
        builtin: Builtin,
        ty: Type,
        depth: usize,
        uniform: bool,
    ) -> Option<Vec<Expression>> {
        let scalar = ty.scalar;
        let types: Vec<Type> = match builtin {
            Builtin::Clamp => return Some(self.clamp_arguments(ty, depth, uniform)),
            Builtin::Mad24 | Builtin::Mul24 => {
                return self.arguments_of_24_bits(builtin, ty, depth, uniform);
            }
            Builtin::Abs | Builtin::AbsDiff => {
                if scalar.signed() {
                    return None;
                }
                let from = if self.random.bool() {
                    ty
                } else {
                    ty.with_scalar(scalar.to_signed())
                };
                let count = if builtin == Builtin::Abs { 1 } else { 2 };
                vec![from; count]
            }
            Builtin::All | Builtin::Any => {
                if ty != INT {
                    return None;
                }
                let from = self.any_type();
                vec![from.with_scalar(from.scalar.to_signed())]
            }
            Builtin::Clz | Builtin::Popcount => vec![ty],
            Builtin::Min | Builtin::Max => {
                let width = if self.chance(30) { 1 } else { ty.width };
                vec![ty, Type::new(scalar, width)]
            }
            Builtin::MadHi if scalar.signed() => return None,
            Builtin::Bitselect | Builtin::MadHi | Builtin::MadSat => vec![ty; 3],
            Builtin::Select => {
                let mask = if self.random.bool() {
                    scalar.to_signed()
                } else {
                    scalar.to_unsigned()
                };
                vec![ty, ty, ty.with_scalar(mask)]
            }
            Builtin::Shuffle => self.shuffle_types(ty, 1)?,
            Builtin::Shuffle2 => self.shuffle_types(ty, 2)?,
            Builtin::Upsample => {
                if scalar.bits() == 8 {
                    return None;
                }
                let half = Scalar::with(scalar.bits() / 2, scalar.signed());
                vec![ty.with_scalar(half), ty.with_scalar(half.to_unsigned())]
            }
            Builtin::AddSat
            | Builtin::Hadd
            | Builtin::MulHi
            | Builtin::Rhadd
            | Builtin::Rotate
            | Builtin::SubSat => vec![ty; 2],
            Builtin::Ceil
            | Builtin::Fabs
            | Builtin::Floor
            | Builtin::Fma
            | Builtin::Fmod
            | Builtin::Rint
            | Builtin::Trunc => return None,
        };
        let arguments = types.into_iter();
        Some(
            arguments
                .map(|ty| self.expression(ty, depth, uniform))
                .collect(),
        )
    }

    /// The types of `count` vectors and the mask of a shuffle.
    fn shuffle_types(&mut self, ty: Type, count: usize) -> Option<Vec<Type>> {
        if !matches!(ty.width, 2 | 4 | 8 | 16) {
            return None;
        }
        let from = Type::new(ty.scalar, self.pick(&[2, 4, 4, 8]));
        let mut types = vec![from; count];
        types.push(ty.with_scalar(ty.scalar.to_unsigned()));
        Some(types)
    }

    /// Clamps between ordered limits; `clamp` is undefined otherwise.
    fn clamp_arguments(&mut self, ty: Type, depth: usize, uniform: bool) -> Vec<Expression> {
        let width = if self.chance(30) { 1 } else { ty.width };
        let (mut low, mut high) = (Vec::new(), Vec::new());
        for _ in 0..width {
            let a = self.constant_value(ty.scalar);
            let b = self.constant_value(ty.scalar);
            low.push(a.min(b));
            high.push(a.max(b));
        }
        let limits = Type::new(ty.scalar, width);
        vec![
            self.expression(ty, depth, uniform),
            Expression::new(limits, Kind::Constant(low)),
            Expression::new(limits, Kind::Constant(high)),
        ]
    }

    fn arguments_of_24_bits(
        &mut self,
        builtin: Builtin,
        ty: Type,
        depth: usize,
        uniform: bool,
    ) -> Option<Vec<Expression>> {
        let signed = ty.scalar.signed();
        if ty.scalar.bits() != 32 || (builtin == Builtin::Mad24 && signed) {
            return None;
        }
        let mut small = || {
            let value = self.expression(ty, depth, uniform);
            // The specification leaves signed products beyond 32 bits open.
            let mask = if signed { 0x7fff } else { 0xff_ffff };
            Expression::binary(Operator::And, value, Expression::constant(ty, mask))
        };
        let mut arguments = vec![small(), small()];
        if builtin == Builtin::Mad24 {
            arguments.push(self.expression(ty, depth, uniform));
        }
        Some(arguments)
    }
}
