//! Components of vectors, and vectors from scalars.

use super::*;

impl Generator {
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

    pub(super) fn swizzle(&mut self, ty: Type, depth: usize, uniform: bool) -> Option<Kind> {
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

    pub(super) fn assemble(&mut self, ty: Type, depth: usize, uniform: bool) -> Kind {
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

    /// A pointer to scalars that can be loaded (or stored) as vectors of `width`, and the number of
    /// these vectors.
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
        // Vectors are aligned to their components only.
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

    pub(super) fn vector_load(&mut self, ty: Type, uniform: bool) -> Option<Expression> {
        if ty.width == 1 || uniform {
            return None;
        }
        let (from, fit) = self.scalars(ty.scalar, ty.width, false)?;
        let offset = Box::new(self.index(fit, 1, false));
        Some(Expression::new(ty, Kind::VectorLoad { offset, from }))
    }
}
