//! Assignments.

use super::*;

impl Generator {
    /// A writable lvalue, its type, and whether the written value must be uniform.
    pub(super) fn target(&mut self, flow: Flow) -> Option<(Place, Type, bool)> {
        let entities = self.scope.clone();
        for _ in 0..8 {
            if entities.is_empty() {
                return None;
            }
            // Recent variables are preferred.
            let recent = entities.len().saturating_sub(8);
            let entity = if self.chance(50) {
                self.pick(&entities[recent..])
            } else {
                self.pick(&entities)
            };
            let variable = entity.variable;
            let place = match entity.role {
                Role::Private {
                    writable: true,
                    uniform,
                } if flow.uniform || !uniform => {
                    let place = Place::variable(variable);
                    let (place, ty) = self.descend(place, &entity.shape, uniform);
                    return Some((place, ty, uniform));
                }
                Role::Region(length) if self.writable_region(variable) => {
                    let index = self.index(length, 2, false);
                    Some(Place::element(variable, index))
                }
                Role::Slice(each) => {
                    let index = self.slice_index(each);
                    index.map(|index| Place::element(variable, index))
                }
                Role::Shared(array) => {
                    let index = self.shared_index(array, true, false);
                    index.map(|index| Place::element(variable, index))
                }
                _ => None,
            };
            if let Some(place) = place {
                let (place, ty) = self.descend(place, &entity.shape, false);
                return Some((place, ty, false));
            }
        }
        None
    }

    pub fn writable_region(&self, variable: VariableId) -> bool {
        !matches!(
            self.variables[variable],
            Variable::Pointer {
                space: Space::Constant,
                ..
            }
        )
    }

    pub(super) fn assign(&mut self, flow: Flow, block: &mut Block) {
        if !self.structs.is_empty() && self.chance(8) {
            let shape = Shape::Struct(self.random.usize(0..self.structs.len()));
            let uniform = self.pure;
            if let Some(to) = self.objects(&shape, true, uniform)
                && let Some(from) = self.objects(&shape, false, uniform)
            {
                block.push(Statement::Copy(to, from));
                return;
            }
        }
        let Some((mut place, mut ty, uniform)) = self.target(flow) else {
            return;
        };
        if ty.width > 1 && self.chance(35) {
            let counts: Vec<usize> = WIDTHS.iter().copied().filter(|&n| n <= ty.width).collect();
            let count = self.pick(&counts);
            place.components = Some(self.components(ty.width, count, false));
            ty.width = count;
        }
        let narrow = ty.width == 1 && ty.scalar.bits() < 32;
        let mut operators = vec![
            Operator::And,
            Operator::Or,
            Operator::Xor,
            Operator::ShiftLeft,
            Operator::ShiftRight,
        ];
        if narrow || !ty.scalar.signed() {
            operators.extend([Operator::Add, Operator::Subtract]);
        }
        if !narrow && !ty.scalar.signed() {
            operators.push(Operator::Multiply);
        }
        let operator = (!ty.scalar.is_real() && self.chance(35)).then(|| self.pick(&operators));
        let value = self.expression(ty, 3, uniform);
        block.push(Statement::Assign(place, operator, value));
    }

    pub(super) fn vector_store(&mut self, block: &mut Block) {
        if self.pure {
            return;
        }
        let width = self.pick(&[2, 3, 4, 8, 16]);
        let scalars: Vec<Scalar> = self.palette.iter().map(|ty| ty.scalar).collect();
        let scalar = self.pick(&scalars);
        if let Some((to, fit)) = self.scalars(scalar, width, true) {
            let offset = self.index(fit, 1, false);
            let value = self.expression(Type::new(scalar, width), 2, false);
            block.push(Statement::VectorStore { value, offset, to });
        }
    }
}
