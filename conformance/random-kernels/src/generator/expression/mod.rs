//! Expressions.

use super::*;
use crate::types::ULONG;

impl Generator {
    /// A `uint` below `length`.
    pub fn index(&mut self, length: usize, depth: usize, uniform: bool) -> Expression {
        let limit = Expression::constant(UINT, length as i128);
        if length == 1 || self.chance(25) {
            let value = self.random.usize(0..length);
            return Expression::constant(UINT, value as i128);
        }
        if self.chance(15)
            && let Some(index) = self.followed(length, uniform)
        {
            return index.convert(Scalar::Uint);
        }
        // Indices have indices of their own: some levels of them are enough.
        let value = if self.nesting >= 2 {
            self.simple(uniform)
        } else {
            self.nesting += 1;
            let value = self.expression(UINT, depth.min(2), uniform);
            self.nesting -= 1;
            value
        };
        if length.is_power_of_two() && self.chance(70) {
            let mask = Expression::constant(UINT, length as i128 - 1);
            return Expression::binary(Operator::And, value, mask);
        }
        Expression::binary(Operator::Remainder, value, limit)
    }

    /// A `uint` variable, or a constant.
    fn simple(&mut self, uniform: bool) -> Expression {
        let uniform = uniform || self.pure;
        let mut values = Vec::new();
        for entity in &self.scope {
            if let (Role::Private { uniform: same, .. }, Shape::Value(ty)) =
                (entity.role, &entity.shape)
                && ty.width == 1
                && (same || !uniform)
            {
                values.push(Expression::variable(*ty, entity.variable));
            }
        }
        if values.is_empty() {
            return Expression::constant(UINT, self.random.u32(0..50).into());
        }
        self.pick(&values).convert(Scalar::Uint)
    }

    /// Extends a place with subscripts and members until it is a scalar or vector.
    pub fn descend(&mut self, mut place: Place, shape: &Shape, uniform: bool) -> (Place, Type) {
        let mut shape = shape.clone();
        loop {
            shape = match shape {
                Shape::Value(ty) => return (place, ty),
                Shape::Array(element, length) => {
                    let index = self.any_index(length, 1, uniform);
                    place.steps.push(Step::Index(index));
                    *element
                }
                Shape::Struct(number) => {
                    let field = self.random.usize(0..self.structs[number].len());
                    place.steps.push(Step::Field(field));
                    self.structs[number][field].clone()
                }
            };
        }
    }

    /// The index of this work-item's element in a slice.
    pub fn slice_index(&mut self, each: usize) -> Option<Expression> {
        let item = Expression::variable(UINT, self.item?);
        let count = Expression::constant(UINT, each as i128);
        let start = Expression::binary(Operator::Multiply, item, count);
        let index = self.index(each, 1, false);
        Some(Expression::binary(Operator::Add, start, index))
    }

    /// Some value in an entity that may be read here.
    fn readable(&mut self, entity: &Entity, uniform: bool) -> Option<(Place, Type)> {
        let variable = entity.variable;
        let place = match entity.role {
            Role::Private { uniform: same, .. } => {
                if uniform && !same {
                    return None;
                }
                Place::variable(variable)
            }
            Role::Region(length) => {
                if uniform {
                    return None;
                }
                let index = self.index(length, 1, false);
                Place::element(variable, index)
            }
            Role::Slice(each) => {
                if uniform {
                    return None;
                }
                let index = self.slice_index(each)?;
                Place::element(variable, index)
            }
            Role::Input(length) => {
                let index = self.any_index(length, 1, uniform);
                Place::element(variable, index)
            }
            Role::Shared(array) => {
                let index = self.shared_index(array, false, uniform)?;
                Place::element(variable, index)
            }
            Role::Atomic(..) | Role::Counters(_) => return None,
        };
        Some(self.descend(place, &entity.shape, uniform))
    }

    /// Something that is in memory, of this type.
    fn loaded(&mut self, ty: Type, uniform: bool) -> Option<Expression> {
        let entities: Vec<Entity> = self
            .scope
            .iter()
            .filter(|entity| {
                !uniform
                    || matches!(
                        entity.role,
                        Role::Private { uniform: true, .. } | Role::Input(_) | Role::Shared(_)
                    )
            })
            .cloned()
            .collect();
        if entities.is_empty() {
            return None;
        }
        let mut entity = self.pick(&entities);
        for _ in 0..4 {
            if entity.shape == Shape::Value(ty) {
                break;
            }
            entity = self.pick(&entities);
        }
        let (place, found) = self.readable(&entity, uniform)?;
        Some(self.adapt(place, found, ty))
    }

    /// What is at a place, made to be of another type.
    pub fn adapt(&mut self, mut place: Place, found: Type, ty: Type) -> Expression {
        if found.width == ty.width {
            return Expression::new(found, Kind::Load(place)).convert(ty.scalar);
        }
        if found.width > ty.width {
            let components = self.components(found.width, ty.width, true);
            place.components = Some(components);
            let part = Type::new(found.scalar, ty.width);
            return Expression::new(part, Kind::Load(place)).convert(ty.scalar);
        }
        if found.width > 1 {
            let component = self.random.usize(0..found.width);
            place.components = Some(Components::Listed(vec![component]));
        }
        let scalar = Expression::new(Type::new(found.scalar, 1), Kind::Load(place));
        let scalar = scalar.convert(ty.scalar);
        Expression::new(ty, Kind::Splat(Box::new(scalar)))
    }

    /// `count` components of a vector of `width`.
    pub fn components(&mut self, width: usize, count: usize, repeated: bool) -> Components {
        if count * 2 == width && self.chance(50) {
            return self.pick(&[
                Components::Low,
                Components::High,
                Components::Even,
                Components::Odd,
            ]);
        }
        let mut numbers: Vec<usize> = (0..width).collect();
        self.random.shuffle(&mut numbers);
        numbers.truncate(count);
        if repeated && self.chance(50) {
            for number in &mut numbers {
                *number = self.random.usize(0..width);
            }
        }
        Components::Listed(numbers)
    }

    fn work_item(&mut self, uniform: bool) -> Expression {
        let functions: &[WorkItem] = if uniform {
            &[
                WorkItem::GroupId,
                WorkItem::GlobalSize,
                WorkItem::LocalSize,
                WorkItem::NumGroups,
                WorkItem::GlobalOffset,
            ]
        } else {
            &[
                WorkItem::GlobalId,
                WorkItem::GlobalId,
                WorkItem::LocalId,
                WorkItem::LocalId,
                WorkItem::GroupId,
                WorkItem::LocalSize,
            ]
        };
        let function = self.pick(functions);
        let dimension = if !self.profile.barriers && self.chance(5) {
            self.index(5, 1, uniform)
        } else {
            let dimension = self.random.usize(0..self.geometry.local.len());
            Expression::constant(UINT, dimension as i128)
        };
        Expression::new(ULONG, Kind::WorkItem(function, Box::new(dimension)))
    }

    fn leaf(&mut self, ty: Type, uniform: bool) -> Expression {
        match self.random.u8(0..10) {
            0..7 => {
                if let Some(value) = self.loaded(ty, uniform) {
                    return value;
                }
            }
            7 if ty.width == 1 => return self.work_item(uniform).convert(ty.scalar),
            _ => {}
        }
        let values = self.constant_values(ty);
        Expression::new(ty, Kind::Constant(values))
    }

    /// A value of this type. If `uniform`, it is the same for all work-items of the group.
    pub fn expression(&mut self, ty: Type, depth: usize, uniform: bool) -> Expression {
        let uniform = uniform || self.pure;
        let depth = if self.profile.barriers {
            depth.min(2)
        } else {
            depth
        };
        if depth == 0 || self.chance(20) {
            return self.leaf(ty, uniform);
        }
        let depth = depth - 1;
        for _ in 0..8 {
            if let Some(value) = self.compound(ty, depth, uniform) {
                return value;
            }
        }
        self.leaf(ty, uniform)
    }

    fn boxed(&mut self, ty: Type, depth: usize, uniform: bool) -> Box<Expression> {
        Box::new(self.expression(ty, depth, uniform))
    }

    fn pair(&mut self, ty: Type, depth: usize, uniform: bool) -> Box<[Expression; 2]> {
        let left = self.expression(ty, depth, uniform);
        let right = if ty.width > 1 && self.chance(15) {
            // A scalar for all components.
            let scalar = self.boxed(Type::new(ty.scalar, 1), depth, uniform);
            Expression::new(ty, Kind::Splat(scalar))
        } else {
            self.expression(ty, depth, uniform)
        };
        Box::new([left, right])
    }

    /// A condition: a scalar `int`.
    pub fn condition(&mut self, depth: usize, uniform: bool) -> Expression {
        if !uniform
            && self.chance(15)
            && let Some(condition) = self.by_place()
        {
            return condition;
        }
        match self.random.u8(0..10) {
            7 if self.profile.barriers => self.expression(INT, depth, uniform),
            0..7 => {
                let ty = Type::new(self.component(), 1);
                self.comparison(ty, depth, uniform)
            }
            7 => {
                let ty = self.any_type();
                let ty = ty.of(ty.scalar.to_signed());
                let compared = if ty.width > 1 {
                    self.comparison(ty, depth, uniform)
                } else {
                    self.expression(ty, depth, uniform)
                };
                let builtin = self.pick(&[Builtin::Any, Builtin::All]);
                Expression::new(INT, Kind::Call(builtin, vec![compared]))
            }
            _ => self.expression(INT, depth, uniform),
        }
    }

    fn choice(&mut self, ty: Type, depth: usize, uniform: bool) -> Kind {
        let condition = if ty.width > 1 && self.chance(60) {
            self.expression(ty.of(ty.scalar.to_signed()), depth, uniform)
        } else {
            self.condition(depth, uniform)
        };
        let a = self.expression(ty, depth, uniform);
        let b = self.expression(ty, depth, uniform);
        Kind::Ternary(Box::new([condition, a, b]))
    }

    fn comparison(&mut self, operand: Type, depth: usize, uniform: bool) -> Expression {
        let sign = self.pick(&Comparison::ALL);
        let operands = self.pair(operand, depth, uniform);
        Expression::new(comparison_type(operand), Kind::Compare(sign, operands))
    }

    fn compound(&mut self, ty: Type, depth: usize, uniform: bool) -> Option<Expression> {
        if ty.scalar.is_real() {
            return self.real(ty, depth, uniform);
        }
        // The first kinds are arithmetic, comparisons and choices.
        let kinds = if self.profile.barriers { 54 } else { 100 };
        let kind = match self.random.u8(0..kinds) {
            0..22 => {
                let operator = self.pick(&[
                    Operator::Add,
                    Operator::Subtract,
                    Operator::Multiply,
                    Operator::And,
                    Operator::Or,
                    Operator::Xor,
                ]);
                Kind::Binary {
                    operator,
                    plain: false,
                    operands: self.pair(ty, depth, uniform),
                }
            }
            22..28 => self.plain(ty, depth, uniform),
            28..34 => {
                let operator = self.pick(&[Operator::ShiftLeft, Operator::ShiftRight]);
                let left = self.expression(ty, depth, uniform);
                let amount = if ty.width == 1 {
                    Type::new(self.scalar(), 1)
                } else {
                    ty
                };
                let right = self.expression(amount, depth, uniform);
                Kind::Binary {
                    operator,
                    plain: false,
                    operands: Box::new([left, right]),
                }
            }
            34..39 => self.quotient(ty, depth, uniform),
            39..47 => {
                let result = if ty.width == 1 { INT } else { ty };
                if ty != result || !ty.scalar.signed() {
                    return None;
                }
                let scalar = match (ty.width, self.random.bool()) {
                    (1, _) => self.scalar(),
                    (_, true) => ty.scalar,
                    (_, false) => ty.scalar.to_unsigned(),
                };
                return Some(match self.random.u8(0..5) {
                    0 => {
                        let operand = self.boxed(ty.of(scalar), depth, uniform);
                        Expression::new(ty, Kind::Not(operand))
                    }
                    1 => {
                        let and = self.random.bool();
                        // Of constant vectors clang makes 1 where the true components
                        // should be -1 (seen in clang 22): one is no constant.
                        let left = if ty.width > 1 {
                            self.loaded(ty, uniform)?
                        } else {
                            self.expression(ty, depth, uniform)
                        };
                        let right = self.expression(ty, depth, uniform);
                        let operands = Box::new([left, right]);
                        Expression::new(ty, Kind::Logical(and, operands))
                    }
                    _ => {
                        let real = scalar.to_real().filter(|_| self.chance_of(0, 25));
                        let scalar = real.unwrap_or(scalar);
                        self.comparison(ty.of(scalar), depth, uniform)
                    }
                });
            }
            47..54 => {
                if !uniform && self.chance(25) {
                    return self.guarded_load(ty);
                }
                self.choice(ty, depth, uniform)
            }
            54..60 => {
                let from = ty.of(self.component());
                if from.scalar == ty.scalar {
                    return None;
                }
                Kind::Convert {
                    saturate: self.chance(40),
                    value: self.boxed(from, depth, uniform),
                }
            }
            60..64 => {
                let width = self.pick(&WIDTHS);
                let scalar = self.scalar();
                let from = Type::new(scalar, width);
                let bits = |ty: Type| ty.scalar.bits() as usize * ty.width;
                if bits(from) != bits(ty) || (from.width == 3) != (ty.width == 3) || from == ty {
                    return None;
                }
                Kind::Reinterpret(self.boxed(from, depth, uniform))
            }
            64..69 => self.swizzle(ty, depth, uniform)?,
            69..73 if ty.width > 1 => self.assemble(ty, depth, uniform),
            69..73 => Kind::Negate(self.boxed(ty, depth, uniform)),
            73..76 => {
                if self.random.bool() {
                    Kind::Negate(self.boxed(ty, depth, uniform))
                } else {
                    Kind::Complement(self.boxed(ty, depth, uniform))
                }
            }
            76..93 => return self.builtin(ty, depth, uniform),
            93..96 => return self.vector_load(ty, uniform),
            96..98 if !uniform => return self.guarded_load(ty),
            _ => return self.pure_call(ty, depth, uniform),
        };
        Some(Expression::new(ty, kind))
    }

    /// A floating-point number.
    fn real(&mut self, ty: Type, depth: usize, uniform: bool) -> Option<Expression> {
        let kind = match self.random.u8(0..100) {
            0..35 => {
                let operator = self.pick(&[Operator::Add, Operator::Subtract, Operator::Multiply]);
                Kind::Binary {
                    operator,
                    plain: false,
                    operands: self.pair(ty, depth, uniform),
                }
            }
            35..45 => self.choice(ty, depth, uniform),
            45..55 => {
                let from = ty.of(self.component());
                if from.scalar == ty.scalar {
                    return None;
                }
                Kind::Convert {
                    saturate: false,
                    value: self.boxed(from, depth, uniform),
                }
            }
            55..63 => {
                let builtin = self.pick(&[
                    Builtin::Fabs,
                    Builtin::Floor,
                    Builtin::Ceil,
                    Builtin::Rint,
                    Builtin::Trunc,
                ]);
                Kind::Call(builtin, vec![self.expression(ty, depth, uniform)])
            }
            63..68 => {
                let mut operand = || self.expression(ty, depth, uniform);
                Kind::Call(Builtin::Fma, vec![operand(), operand(), operand()])
            }
            68..71 => {
                let value = self.expression(ty, depth, uniform);
                let divisors = (0..ty.width).map(|_| self.random.i32(1..50).into());
                let divisors = Expression::new(ty, Kind::Constant(divisors.collect()));
                Kind::Call(Builtin::Fmod, vec![value, divisors])
            }
            71..76 => self.swizzle(ty, depth, uniform)?,
            76..80 if ty.width > 1 => self.assemble(ty, depth, uniform),
            80..92 => return self.builtin(ty, depth, uniform),
            92..95 => return self.vector_load(ty, uniform),
            95..98 if !uniform => return self.guarded_load(ty),
            _ => return self.pure_call(ty, depth, uniform),
        };
        Some(Expression::new(ty, kind))
    }

    fn swizzle(&mut self, ty: Type, depth: usize, uniform: bool) -> Option<Kind> {
        let width = self.pick(&[2, 3, 4, 8, 16]);
        if width > ty.width * 4 && width > 4 {
            return None;
        }
        let from = Type::new(ty.scalar, width);
        let value = self.boxed(from, depth, uniform);
        let components = if ty.width <= width {
            self.components(width, ty.width, true)
        } else {
            let numbers = (0..ty.width).map(|_| self.random.usize(0..width)).collect();
            Components::Listed(numbers)
        };
        Some(Kind::Swizzle(value, components))
    }

    fn assemble(&mut self, ty: Type, depth: usize, uniform: bool) -> Kind {
        let mut left = ty.width;
        let mut parts = Vec::new();
        while left > 0 {
            let width = self.pick(&[1, 1, 2, 3, 4, 8]);
            if width <= left && width < ty.width {
                let part = Type::new(ty.scalar, width);
                parts.push(self.expression(part, depth.min(1), uniform));
                left -= width;
            }
        }
        Kind::Assemble(parts)
    }

    /// Signed arithmetic on numbers too small to overflow.
    fn plain(&mut self, ty: Type, depth: usize, uniform: bool) -> Kind {
        let operator = self.pick(&[Operator::Add, Operator::Subtract, Operator::Multiply]);
        let mask = if operator == Operator::Multiply {
            (1 << (ty.scalar.bits() / 2 - 1)) - 1
        } else {
            ty.scalar.to_signed().max() >> 1
        };
        let mut small = || {
            let value = self.expression(ty, depth, uniform);
            Expression::binary(Operator::And, value, Expression::constant(ty, mask))
        };
        let operands = Box::new([small(), small()]);
        Kind::Binary {
            operator,
            // Products of `ushort` would overflow `int`.
            plain: ty.width > 1 || ty.scalar.signed() || ty.scalar.bits() >= 32,
            operands,
        }
    }

    /// A division whose divisor is not zero.
    fn quotient(&mut self, ty: Type, depth: usize, uniform: bool) -> Kind {
        let operator = self.pick(&[Operator::Divide, Operator::Remainder]);
        let left = self.expression(ty, depth, uniform);
        if ty.width == 1 && !ty.scalar.signed() && self.chance(50) {
            // Only where it is defined: compilers must not do it elsewhere.
            let divisor = self.leaf(ty, uniform);
            let quotient = Kind::Binary {
                operator,
                plain: false,
                operands: Box::new([left, divisor.clone()]),
            };
            let zero = Expression::constant(ty, 0);
            return Kind::Ternary(Box::new([
                Expression::compare(Comparison::NotEqual, divisor, zero),
                Expression::new(ty, quotient),
                self.leaf(ty, uniform),
            ]));
        }
        let value = self.expression(ty, depth, uniform);
        let mask = if ty.scalar.signed() {
            ty.scalar.max() >> self.random.u32(0..7)
        } else {
            ty.scalar.max()
        };
        let masked = Expression::binary(Operator::And, value, Expression::constant(ty, mask));
        let divisor = Expression::binary(Operator::Or, masked, Expression::constant(ty, 1));
        Kind::Binary {
            operator,
            plain: false,
            operands: Box::new([left, divisor]),
        }
    }

    fn builtin(&mut self, ty: Type, depth: usize, uniform: bool) -> Option<Expression> {
        let builtin = self.pick(&[
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
        ]);
        let scalar = ty.scalar;
        let also_real = [
            Builtin::Clamp,
            Builtin::Max,
            Builtin::Min,
            Builtin::Select,
            Builtin::Shuffle,
            Builtin::Shuffle2,
        ];
        if scalar.is_real() && !also_real.contains(&builtin) {
            return None;
        }
        let arguments = match builtin {
            Builtin::Abs | Builtin::AbsDiff => {
                if scalar.signed() {
                    return None;
                }
                let from = if self.random.bool() {
                    ty
                } else {
                    ty.of(scalar.to_signed())
                };
                let count = if builtin == Builtin::Abs { 1 } else { 2 };
                (0..count)
                    .map(|_| self.expression(from, depth, uniform))
                    .collect()
            }
            Builtin::All | Builtin::Any => {
                if ty != INT {
                    return None;
                }
                let from = self.any_type();
                vec![self.expression(from.of(from.scalar.to_signed()), depth, uniform)]
            }
            Builtin::Clz | Builtin::Popcount => vec![self.expression(ty, depth, uniform)],
            Builtin::Clamp => {
                let width = if self.chance(30) { 1 } else { ty.width };
                let (mut low, mut high) = (Vec::new(), Vec::new());
                for _ in 0..width {
                    let (a, b) = (self.constant_value(scalar), self.constant_value(scalar));
                    low.push(a.min(b));
                    high.push(a.max(b));
                }
                let limits = Type::new(scalar, width);
                vec![
                    self.expression(ty, depth, uniform),
                    Expression::new(limits, Kind::Constant(low)),
                    Expression::new(limits, Kind::Constant(high)),
                ]
            }
            Builtin::Min | Builtin::Max => {
                let width = if self.chance(30) { 1 } else { ty.width };
                vec![
                    self.expression(ty, depth, uniform),
                    self.expression(Type::new(scalar, width), depth, uniform),
                ]
            }
            Builtin::Mad24 | Builtin::Mul24 => {
                if scalar.bits() != 32 || (builtin == Builtin::Mad24 && scalar.signed()) {
                    return None;
                }
                let mut small = || {
                    let value = self.expression(ty, depth, uniform);
                    // What products of signed numbers give beyond 32 bits is not said.
                    let mask = if scalar.signed() { 0x7fff } else { 0xff_ffff };
                    Expression::binary(Operator::And, value, Expression::constant(ty, mask))
                };
                let mut arguments = vec![small(), small()];
                if builtin == Builtin::Mad24 {
                    arguments.push(self.expression(ty, depth, uniform));
                }
                arguments
            }
            Builtin::MadHi if scalar.signed() => return None,
            Builtin::Bitselect | Builtin::MadHi | Builtin::MadSat => (0..3)
                .map(|_| self.expression(ty, depth, uniform))
                .collect(),
            Builtin::Select => {
                let mask = if self.random.bool() {
                    scalar.to_signed()
                } else {
                    scalar.to_unsigned()
                };
                vec![
                    self.expression(ty, depth, uniform),
                    self.expression(ty, depth, uniform),
                    self.expression(ty.of(mask), depth, uniform),
                ]
            }
            Builtin::Shuffle | Builtin::Shuffle2 => {
                if !matches!(ty.width, 2 | 4 | 8 | 16) {
                    return None;
                }
                let from = Type::new(scalar, self.pick(&[2, 4, 4, 8]));
                let count = if builtin == Builtin::Shuffle { 1 } else { 2 };
                let mut arguments: Vec<Expression> = (0..count)
                    .map(|_| self.expression(from, depth, uniform))
                    .collect();
                let mask = ty.of(scalar.to_unsigned());
                arguments.push(self.expression(mask, depth, uniform));
                arguments
            }
            Builtin::Upsample => {
                if scalar.bits() == 8 {
                    return None;
                }
                let half = Scalar::with(scalar.bits() / 2, scalar.signed());
                vec![
                    self.expression(ty.of(half), depth, uniform),
                    self.expression(ty.of(half.to_unsigned()), depth, uniform),
                ]
            }
            Builtin::Ceil
            | Builtin::Fabs
            | Builtin::Floor
            | Builtin::Fma
            | Builtin::Fmod
            | Builtin::Rint
            | Builtin::Trunc => return None,
            Builtin::AddSat
            | Builtin::Hadd
            | Builtin::MulHi
            | Builtin::Rhadd
            | Builtin::Rotate
            | Builtin::SubSat => (0..2)
                .map(|_| self.expression(ty, depth, uniform))
                .collect(),
        };
        Some(Expression::new(ty, Kind::Call(builtin, arguments)))
    }

    /// Where `width` scalars can be loaded (or stored) as a vector: a pointer, and how
    /// many vectors fit.
    pub fn scalars(
        &mut self,
        scalar: Scalar,
        width: usize,
        write: bool,
    ) -> Option<(Pointer, usize)> {
        let element = Shape::Value(Type::new(scalar, 1));
        let mut found = Vec::new();
        for entity in &self.scope {
            match (&entity.role, &entity.shape) {
                (Role::Private { writable, uniform }, Shape::Array(inner, length))
                    if **inner == element
                        && *length >= width
                        && (!write || (*writable && !uniform)) =>
                {
                    found.push((entity.variable, *length, false));
                }
                (Role::Region(length), shape) if *shape == element && *length >= width => {
                    found.push((entity.variable, *length, false));
                }
                (Role::Input(length), shape) if *shape == element && *length >= width && !write => {
                    found.push((entity.variable, *length, false));
                }
                (Role::Slice(each), shape) if *shape == element && *each >= width => {
                    found.push((entity.variable, *each, true));
                }
                _ => {}
            }
        }
        if found.is_empty() {
            return None;
        }
        let (variable, length, slice) = self.pick(&found);
        let mut offset = None;
        if slice {
            let item = Expression::variable(UINT, self.item?);
            let count = Expression::constant(UINT, length as i128);
            offset = Some(Expression::binary(Operator::Multiply, item, count));
        }
        // Vectors need not be aligned to more than their components.
        let spare = length - width;
        let shift = self.random.usize(0..=spare);
        let mut fit = length / width;
        if shift > 0 && self.chance(50) {
            fit = (length - shift) / width;
            let shift = Expression::constant(UINT, shift as i128);
            offset = Some(match offset {
                None => shift,
                Some(offset) => Expression::binary(Operator::Add, offset, shift),
            });
        }
        let pointer = Pointer::To(Place::variable(variable), offset.map(Box::new));
        Some((pointer, fit))
    }

    fn vector_load(&mut self, ty: Type, uniform: bool) -> Option<Expression> {
        if ty.width == 1 || uniform {
            return None;
        }
        let (from, fit) = self.scalars(ty.scalar, ty.width, false)?;
        let offset = Box::new(self.index(fit, 1, false));
        Some(Expression::new(ty, Kind::VectorLoad { offset, from }))
    }

    fn pure_call(&mut self, ty: Type, depth: usize, uniform: bool) -> Option<Expression> {
        let helpers: Vec<usize> = (0..self.signatures.len())
            .filter(|&helper| {
                let signature = &self.signatures[helper];
                signature.kind == HelperKind::Pure && signature.result == Some(Shape::Value(ty))
            })
            .collect();
        if helpers.is_empty() {
            return None;
        }
        let helper = self.pick(&helpers);
        let mut arguments = Vec::new();
        for parameter in self.signatures[helper].parameters.clone() {
            let Parameter::Value(ty) = parameter else {
                return None;
            };
            arguments.push(self.expression(ty, depth.min(1), uniform));
        }
        Some(Expression::new(ty, Kind::Helper(helper, arguments)))
    }
}
