//! Declarations and their initial values.

use super::*;

impl Generator {
    pub(super) fn declare_value(&mut self, flow: Flow, block: &mut Block) {
        let ty = self.any_type();
        let uniform = self.pure || (flow.uniform && self.chance(30));
        let value = self.expression(ty, 3, uniform);
        let variable = self.new_object(Space::Private, Shape::Value(ty));
        block.push(Statement::Declare(variable, Initial::Value(value)));
        self.enter(
            variable,
            Shape::Value(ty),
            Role::Private {
                writable: true,
                uniform,
            },
        );
    }

    /// An initial value of this shape.
    pub fn initial(&mut self, shape: &Shape, uniform: bool) -> Initial {
        match shape {
            Shape::Value(ty) => Initial::Value(self.expression(*ty, 1, uniform)),
            Shape::Array(element, length) => {
                let listed = (*length).min(6);
                Initial::List(
                    (0..listed)
                        .map(|_| self.initial(element, uniform))
                        .collect(),
                )
            }
            Shape::Struct(number) => {
                let fields = self.structs[*number].clone();
                Initial::List(fields.iter().map(|f| self.initial(f, uniform)).collect())
            }
        }
    }

    /// An lvalue of this shape that may be copied.
    pub(super) fn objects(&mut self, shape: &Shape, write: bool, uniform: bool) -> Option<Place> {
        let entities: Vec<Entity> = self
            .scope
            .iter()
            .filter(|e| e.shape == *shape)
            .cloned()
            .collect();
        if entities.is_empty() {
            return None;
        }
        let entity = self.pick(&entities);
        match entity.role {
            Role::Private {
                writable,
                uniform: same,
            } => {
                let fits = if write {
                    writable && same == uniform
                } else {
                    same || !uniform
                };
                fits.then(|| Place::variable(entity.variable))
            }
            Role::Shared(array) if !uniform => {
                let index = self.shared_index(array, write, false)?;
                Some(Place::element(entity.variable, index))
            }
            _ => None,
        }
    }

    pub(super) fn array_shape(&mut self) -> Shape {
        let ty = self.any_type();
        let most = (64 / ty.width).min(16);
        match self.random.u8(0..10) {
            0 => Shape::Array(
                Box::new(Shape::array(ty, self.random.usize(1..=4))),
                self.random.usize(1..=3),
            ),
            1 if !self.structs.is_empty() => {
                let number = self.random.usize(0..self.structs.len());
                Shape::Array(Box::new(Shape::Struct(number)), self.random.usize(1..=4))
            }
            // Such arrays are too large for registers.
            2 => Shape::array(ty, self.random.usize(20..=80)),
            3..6 => Shape::array(ty, 1 << self.random.u32(0..=most.ilog2())),
            _ => Shape::array(ty, self.random.usize(1..=most)),
        }
    }

    pub(super) fn declare_object(&mut self, flow: Flow, block: &mut Block) {
        let uniform = self.pure || (flow.uniform && self.chance(15));
        let shape = if !self.structs.is_empty() && self.chance(40) {
            Shape::Struct(self.random.usize(0..self.structs.len()))
        } else {
            self.array_shape()
        };
        let copied = match shape {
            Shape::Struct(_) if self.chance(40) => self.objects(&shape, false, uniform),
            _ => None,
        };
        let initial = match copied {
            Some(place) => Initial::Copy(place),
            None => self.initial(&shape, uniform),
        };
        let variable = self.new_object(Space::Private, shape.clone());
        block.push(Statement::Declare(variable, initial));
        self.enter(
            variable,
            shape,
            Role::Private {
                writable: true,
                uniform,
            },
        );
    }

    /// A pointer into one of two private arrays.
    pub(super) fn declare_pointer(&mut self, block: &mut Block) {
        let mut arrays = Vec::new();
        for entity in &self.scope {
            if let (
                Role::Private {
                    writable: true,
                    uniform: false,
                },
                Shape::Array(element, length),
            ) = (entity.role, &entity.shape)
                && matches!(**element, Shape::Value(_))
            {
                arrays.push((entity.variable, (**element).clone(), *length));
            }
        }
        if arrays.is_empty() {
            return;
        }
        let (first, element, mut length) = self.pick(&arrays);
        arrays.retain(|array| array.1 == element);
        let offset = self.random.usize(0..length);
        let shift = self.index(offset + 1, 2, false);
        length -= offset;
        let mut pointer = Pointer::To(
            Place::variable(first),
            (offset > 0).then(|| Box::new(shift)),
        );
        if arrays.len() > 1 && self.chance(60) {
            let (second, _, other) = self.pick(&arrays);
            let condition = Box::new(self.condition(2, false));
            let second = Pointer::To(Place::variable(second), None);
            pointer = Pointer::Either(condition, Box::new([pointer, second]));
            length = length.min(other);
        }
        let variable = self.new_pointer(Space::Private, element.clone());
        block.push(Statement::DeclarePointer(variable, pointer));
        self.enter(variable, element, Role::Region(length));
    }
}
