//! Calls of helper functions.

use super::*;

impl Generator {
    pub(super) fn call(&mut self, flow: Flow, block: &mut Block) {
        let helpers: Vec<usize> = (0..self.signatures.len())
            .filter(|&helper| {
                let signature = &self.signatures[helper];
                match signature.kind {
                    HelperKind::Pure => true,
                    HelperKind::General => !self.pure,
                    HelperKind::Group => self.barrier_allowed(flow),
                }
            })
            .collect();
        if helpers.is_empty() {
            return;
        }
        let helper = self.pick(&helpers);
        let kind = self.signatures[helper].kind;
        let parameters = self.signatures[helper].parameters.clone();
        let group = kind == HelperKind::Group;
        let mut used = Vec::new();
        let mut arguments = Vec::new();
        let hidden = self.hide_shared;
        self.hide_shared |= group;
        for parameter in &parameters {
            let Some(argument) = self.argument(parameter, &mut used) else {
                break;
            };
            arguments.push(argument);
        }
        self.hide_shared = hidden;
        if arguments.len() < parameters.len() {
            return;
        }
        let mut result = None;
        if let Some(shape) = self.signatures[helper].result.clone() {
            let pure = self.pure;
            if self.chance(80) {
                let place = self
                    .objects(&shape, true, pure)
                    .filter(|p| p.steps.is_empty());
                result = Some(match place {
                    Some(place) => place,
                    None => {
                        let initial = self.initial(&shape, pure);
                        let variable = self.new_object(Space::Private, shape.clone());
                        block.push(Statement::Declare(variable, initial));
                        let role = Role::Private {
                            writable: true,
                            uniform: pure,
                        };
                        self.enter(variable, shape, role);
                        Place::variable(variable)
                    }
                });
            }
        }
        for &array in &used {
            // A barrier is allowed here.
            self.bring(array, None, flow, block);
        }
        if group {
            self.barriers += 1;
            let modes = self.signatures[helper].end_modes.clone();
            for (&array, mode) in used.iter().zip(modes) {
                self.shared[array].mode = mode;
            }
        }
        block.push(Statement::Call {
            helper,
            arguments,
            result,
        });
    }

    /// An argument for a parameter; `None` if nothing in scope fits. `used` are the shared arrays
    /// that the call's other arguments point to.
    fn argument(&mut self, parameter: &Parameter, used: &mut Vec<usize>) -> Option<Argument> {
        match parameter {
            Parameter::Value(ty) => Some(Argument::Value(self.expression(*ty, 2, false))),
            Parameter::Struct(number) => {
                let place = self.objects(&Shape::Struct(*number), false, self.pure)?;
                Some(Argument::Object(place))
            }
            Parameter::Region(space, ty, length) => {
                self.region(*space, *ty, *length).map(Argument::Pointer)
            }
            Parameter::Input(space, ty, length) => {
                self.input(*space, *ty, *length).map(Argument::Pointer)
            }
            Parameter::Shared(wanted) => {
                for entity in self.scope.clone() {
                    let Role::Shared(array) = entity.role else {
                        continue;
                    };
                    let state = &self.shared[array];
                    if state.space == wanted.space
                        && state.shape == wanted.shape
                        && state.each == wanted.each
                        && !used.contains(&array)
                    {
                        used.push(array);
                        let place = Place::variable(entity.variable);
                        return Some(Argument::Pointer(Pointer::To(place, None)));
                    }
                }
                None
            }
        }
    }

    /// A pointer to at least `length` elements that only this work-item uses.
    fn region(&mut self, space: Space, ty: Type, length: usize) -> Option<Pointer> {
        let mut found = Vec::new();
        for entity in &self.scope {
            if self.space_of(entity) != space {
                continue;
            }
            match (entity.role, &entity.shape) {
                (
                    Role::Private {
                        writable: true,
                        uniform: false,
                    },
                    Shape::Array(element, n),
                ) if **element == Shape::Value(ty) && *n >= length => {
                    found.push((entity.variable, None));
                }
                (Role::Region(n), shape) if *shape == Shape::Value(ty) && n >= length => {
                    found.push((entity.variable, None));
                }
                (Role::Slice(n), shape) if *shape == Shape::Value(ty) && n >= length => {
                    found.push((entity.variable, Some(n)));
                }
                _ => {}
            }
        }
        if found.is_empty() {
            return None;
        }
        let (variable, each) = self.pick(&found);
        let mut offset = None;
        if let Some(each) = each {
            let item = Expression::variable(UINT, self.item?);
            let count = Expression::constant(UINT, each as i128);
            offset = Some(Box::new(Expression::binary(
                Operator::Multiply,
                item,
                count,
            )));
        }
        Some(Pointer::To(Place::variable(variable), offset))
    }

    /// A pointer to at least `length` elements that are only read.
    fn input(&mut self, space: Space, ty: Type, length: usize) -> Option<Pointer> {
        let fits = |entity: &&Entity| {
            matches!(entity.role, Role::Input(n) if n >= length)
                && self.space_of(entity) == space
                && entity.shape == Shape::Value(ty)
        };
        let found: Vec<VariableId> = (self.scope.iter().filter(fits))
            .map(|entity| entity.variable)
            .collect();
        if found.is_empty() {
            return None;
        }
        let variable = self.pick(&found);
        Some(Pointer::To(Place::variable(variable), None))
    }

    /// The address space that an entity is in or points into.
    fn space_of(&self, entity: &Entity) -> Space {
        match &self.variables[entity.variable] {
            Variable::Object { space, .. } | Variable::Pointer { space, .. } => *space,
        }
    }
}
