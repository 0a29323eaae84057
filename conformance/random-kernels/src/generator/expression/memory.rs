//! Reads of variables, arrays, structures and buffers in scope.

use super::*;

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
        // The nesting of subscripts is limited.
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
    pub(super) fn simple(&mut self, uniform: bool) -> Expression {
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

    /// A readable lvalue in an entity.
    pub(super) fn readable(&mut self, entity: &Entity, uniform: bool) -> Option<(Place, Type)> {
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

    /// A load, converted to this type.
    pub(super) fn loaded(&mut self, ty: Type, uniform: bool) -> Option<Expression> {
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

    /// A load that is converted to another type.
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
}
