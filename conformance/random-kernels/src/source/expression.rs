//! Expressions, lvalues and pointers.

use super::Printer;
use super::spelling::{components, constant, name, scalar_constant};
use crate::ast::*;
use crate::types::{Scalar, Shape, Type};
use std::fmt::Write;

impl Printer<'_> {
    pub(super) fn place(&self, place: &Place) -> String {
        let mut text = name(place.root);
        for step in &place.steps {
            match step {
                Step::Index(index) => {
                    write!(text, "[{}]", self.expression(index)).expect("a string takes all");
                }
                Step::Field(field) => {
                    write!(text, ".f{field}").expect("a string takes all");
                }
            }
        }
        if let (Some(parts), Some(Shape::Value(ty))) =
            (&place.components, self.program.shape_of(place))
        {
            text.push('.');
            text.push_str(&components(parts, ty.width));
        }
        text
    }

    pub(super) fn pointer(&self, pointer: &Pointer) -> String {
        match pointer {
            Pointer::To(place, None) => self.place(place),
            Pointer::To(place, Some(offset)) => {
                format!("({} + {})", self.place(place), self.expression(offset))
            }
            Pointer::Either(condition, pointers) => format!(
                "({} ? {} : {})",
                self.expression(condition),
                self.pointer(&pointers[0]),
                self.pointer(&pointers[1])
            ),
        }
    }

    fn list(&self, values: &[Expression]) -> String {
        let values: Vec<String> = values.iter().map(|value| self.expression(value)).collect();
        values.join(", ")
    }

    /// Two operands of a vector operator. An operand with equal components may be written as a
    /// scalar.
    fn operands(&self, operands: &[Expression; 2]) -> [String; 2] {
        let [left, right] = operands;
        if let Kind::Splat(scalar) = &right.kind
            && !matches!(left.kind, Kind::Splat(_))
        {
            return [self.expression(left), self.expression(scalar)];
        }
        [self.expression(left), self.expression(right)]
    }

    pub(super) fn expression(&self, expression: &Expression) -> String {
        let ty = expression.ty;
        match &expression.kind {
            Kind::Constant(values) => constant(ty, values),
            Kind::WorkItem(function, dimension) => {
                format!("{}({})", function.name(), self.expression(dimension))
            }
            Kind::Load(place) => self.place(place),
            Kind::VectorLoad { offset, from } => format!(
                "vload{}({}, {})",
                ty.width,
                self.expression(offset),
                self.pointer(from)
            ),
            Kind::Negate(value) => {
                let operand = self.expression(value);
                arithmetic(ty, false, &["", &operand], "-")
            }
            Kind::Complement(value) => narrowed(ty, format!("(~{})", self.expression(value))),
            Kind::Not(value) => format!("(!{})", self.expression(value)),
            Kind::Binary {
                operator,
                plain,
                operands,
            } => self.binary(ty, *operator, *plain, operands),
            Kind::Compare(comparison, operands) => {
                let [left, right] = self.operands(operands);
                format!("({left} {} {right})", comparison.sign())
            }
            Kind::Logical(and, operands) => {
                let [left, right] = operands.as_ref();
                let sign = if *and { "&&" } else { "||" };
                format!(
                    "({} {sign} {})",
                    self.expression(left),
                    self.expression(right)
                )
            }
            Kind::Ternary(parts) => {
                let [condition, a, b] = parts.as_ref();
                narrowed(
                    ty,
                    format!(
                        "({} ? {} : {})",
                        self.expression(condition),
                        self.expression(a),
                        self.expression(b)
                    ),
                )
            }
            Kind::Convert { saturate, value } => self.conversion(ty, *saturate, value),
            Kind::Reinterpret(value) => format!("as_{}({})", ty.name(), self.expression(value)),
            Kind::Splat(value) => format!("(({})({}))", ty.name(), self.expression(value)),
            Kind::Swizzle(value, parts) => format!(
                "({}).{}",
                self.expression(value),
                components(parts, value.ty.width)
            ),
            Kind::Assemble(values) => format!("(({})({}))", ty.name(), self.list(values)),
            Kind::Call(builtin, values) => self.builtin(ty, *builtin, values),
            Kind::Helper(helper, values) => format!("f{helper}({})", self.list(values)),
        }
    }

    fn conversion(&self, ty: Type, saturate: bool, value: &Expression) -> String {
        let text = self.expression(value);
        if ty.scalar.is_real() {
            return near(ty, format!("convert_{}({text})", ty.name()));
        }
        // Without `_sat`, floating-point values outside the range are undefined.
        if saturate || value.ty.scalar.is_real() {
            return format!("convert_{}_sat({text})", ty.name());
        }
        match ty.width {
            1 => format!("(({}){text})", ty.name()),
            _ => format!("convert_{}({text})", ty.name()),
        }
    }

    fn builtin(&self, ty: Type, builtin: Builtin, arguments: &[Expression]) -> String {
        let list = self.list(arguments);
        match builtin {
            Builtin::Fma => near(ty, format!("fma({list})")),
            Builtin::Ceil | Builtin::Floor | Builtin::Rint | Builtin::Trunc => {
                let quarter = match ty.scalar {
                    Scalar::Float => "0.25f",
                    _ => "0.25",
                };
                format!("{}({list} * {quarter})", builtin.name())
            }
            _ => format!("{}({list})", builtin.name()),
        }
    }

    fn binary(
        &self,
        ty: Type,
        operator: Operator,
        plain: bool,
        operands: &[Expression; 2],
    ) -> String {
        let sign = operator.sign();
        if ty.scalar.is_real() {
            let [left, right] = self.operands(operands);
            return near(ty, format!("({left} {sign} {right})"));
        }
        match operator {
            Operator::Add | Operator::Subtract | Operator::Multiply => {
                let wide = ty.scalar.bits() >= 32;
                if plain || (!ty.scalar.signed() && wide) {
                    let [left, right] = self.operands(operands);
                    narrowed(ty, format!("({left} {sign} {right})"))
                } else {
                    let [left, right] = operands;
                    arithmetic(
                        ty,
                        operator == Operator::Multiply,
                        &[&self.expression(left), &self.expression(right)],
                        sign,
                    )
                }
            }
            _ => {
                let [left, right] = self.operands(operands);
                narrowed(ty, format!("({left} {sign} {right})"))
            }
        }
    }
}

/// A floating-point expression, clamped to the range of generated values.
fn near(ty: Type, text: String) -> String {
    let [least, most] =
        [ty.scalar.min(), ty.scalar.max()].map(|limit| scalar_constant(ty.scalar, limit));
    format!("clamp({text}, {least}, {most})")
}

/// Converts a promoted narrow scalar back to its type (C99, section 6.3.1.1).
fn narrowed(ty: Type, text: String) -> String {
    if ty.width == 1 && ty.scalar.bits() < 32 {
        format!("(({}){text})", ty.name())
    } else {
        text
    }
}

/// An operator that cannot overflow, because it is computed in unsigned types.
fn arithmetic(ty: Type, product: bool, operands: &[&str; 2], sign: &str) -> String {
    let [left, right] = operands;
    let unsigned = ty.with_scalar(ty.scalar.to_unsigned()).name();
    match (ty.width, ty.scalar.bits()) {
        // `int` would overflow in a product of two `ushort`s.
        (1, 8 | 16) if product => format!("(({})((uint){left} {sign} (uint){right}))", ty.name()),
        (1, 8 | 16) => format!("(({})({left} {sign} {right}))", ty.name()),
        (1, _) if left.is_empty() => format!("(({})({sign} ({unsigned}){right}))", ty.name()),
        (1, _) => format!(
            "(({})(({unsigned}){left} {sign} ({unsigned}){right}))",
            ty.name()
        ),
        _ if !ty.scalar.signed() => format!("({left} {sign} {right})"),
        _ if left.is_empty() => format!("as_{}({sign} as_{unsigned}({right}))", ty.name()),
        _ => format!(
            "as_{}(as_{unsigned}({left}) {sign} as_{unsigned}({right}))",
            ty.name()
        ),
    }
}
