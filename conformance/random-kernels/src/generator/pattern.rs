//! Accesses with common patterns: indices that depend on ids and loop variables, and guarded
//! accesses, whose indices are out of bounds for other work-items.

use super::*;
use crate::types::ULONG;

/// A non-negative number and its largest value.
struct Term {
    value: Expression,
    most: usize,
}

/// An operator on numbers that are too small to overflow.
fn small(operator: Operator, left: Expression, right: Expression) -> Expression {
    let ty = left.ty;
    let kind = Kind::Binary {
        operator,
        plain: ty.scalar.signed(),
        operands: Box::new([left, right]),
    };
    Expression::new(ty, kind)
}

fn and(left: Expression, right: Expression) -> Expression {
    Expression::new(INT, Kind::Logical(true, Box::new([left, right])))
}

impl Generator {
    fn terms(&self, uniform: bool) -> Vec<Term> {
        let mut terms = Vec::new();
        let id = |function, dimension: usize| {
            let dimension = Box::new(Expression::constant(UINT, dimension as i128));
            Expression::new(ULONG, Kind::WorkItem(function, dimension))
        };
        let Geometry {
            global,
            local,
            offset,
        } = &self.geometry;
        if !self.pure {
            for dimension in 0..local.len() {
                let groups = global[dimension] / local[dimension];
                let mut add = |function, most| {
                    let value = id(function, dimension);
                    terms.push(Term { value, most });
                };
                add(WorkItem::GroupId, groups - 1);
                if !uniform {
                    add(WorkItem::LocalId, local[dimension] - 1);
                    add(WorkItem::LocalId, local[dimension] - 1);
                    add(
                        WorkItem::GlobalId,
                        offset[dimension] + global[dimension] - 1,
                    );
                }
            }
            if !uniform {
                let lane = Expression::variable(UINT, self.lane);
                terms.push(Term {
                    value: lane,
                    most: self.geometry.group_items() - 1,
                });
                if let Some(item) = self.item {
                    terms.push(Term {
                        value: Expression::variable(UINT, item),
                        most: self.geometry.items() - 1,
                    });
                }
            }
        }
        for range in &self.ranges {
            if uniform && !range.uniform {
                continue;
            }
            let mut value = Expression::variable(range.ty, range.variable);
            if range.first != 0 {
                let first = Expression::constant(range.ty, range.first);
                value = small(Operator::Subtract, value, first);
            }
            let most = (range.last - range.first) as usize;
            terms.push(Term { value, most });
            // Loops mostly index arrays.
            let value = Expression::variable(range.ty, range.variable);
            if range.first == 0 {
                terms.push(Term { value, most });
            }
        }
        terms.retain(|term| term.most > 0);
        terms
    }

    /// An index below `length` that depends on ids and loop variables, of any integer type for
    /// indices.
    pub fn followed(&mut self, length: usize, uniform: bool) -> Option<Expression> {
        let terms = self.terms(uniform || self.pure);
        if terms.is_empty() {
            return None;
        }
        let scalar = self.pick(&[
            Scalar::Uint,
            Scalar::Uint,
            Scalar::Int,
            Scalar::Int,
            Scalar::Ulong,
            Scalar::Long,
        ]);
        let ty = Type::new(scalar, 1);
        let constant = |value: usize| Expression::constant(ty, value as i128);
        let mut left = length.checked_sub(1)?;
        let mut sum: Option<Expression> = None;
        for _ in 0..self.random.usize(2..=4) {
            let term = &terms[self.random.usize(0..terms.len())];
            let factors = [
                1,
                1,
                1,
                2,
                3,
                4,
                self.geometry.local[0],
                self.geometry.global[0],
            ];
            let factor = self.pick(&factors);
            let Some(rest) = left.checked_sub(factor * term.most) else {
                continue;
            };
            left = rest;
            let mut value = term.value.clone().convert(scalar);
            if factor > 1 {
                value = small(Operator::Multiply, value, constant(factor));
            }
            sum = Some(match sum {
                None => value,
                Some(sum) => small(Operator::Add, sum, value),
            });
        }
        let sum = sum?;
        let shift = self.random.usize(0..=left);
        Some(if self.chance(20) {
            let last = constant(length - 1 - left + shift);
            small(Operator::Subtract, last, sum)
        } else if shift > 0 {
            small(Operator::Add, sum, constant(shift))
        } else {
            sum
        })
    }

    /// An index below `length`, of any integer type for indices.
    pub fn any_index(&mut self, length: usize, depth: usize, uniform: bool) -> Expression {
        if self.chance(40)
            && let Some(index) = self.followed(length, uniform)
        {
            return index;
        }
        self.index(length, depth, uniform)
    }

    /// A condition on an id, which selects work-items.
    pub fn by_place(&mut self) -> Option<Expression> {
        let terms = self.terms(self.pure);
        if terms.is_empty() {
            return None;
        }
        let term = &terms[self.random.usize(0..terms.len())];
        let scalar = self.pick(&[Scalar::Int, Scalar::Uint, Scalar::Ulong]);
        let value = term.value.clone().convert(scalar);
        let limit = self.random.usize(0..=term.most + 1);
        let comparison = self.pick(&Comparison::ALL);
        let limit = Expression::constant(value.ty, limit as i128);
        Some(Expression::compare(comparison, value, limit))
    }

    /// A number of type `int` or `uint` that may be out of bounds.
    fn wild_index(&mut self) -> Expression {
        let terms = self.terms(false);
        if terms.is_empty() || self.chance(40) {
            let ty = self.pick(&[INT, UINT]);
            return self.expression(ty, 1, false);
        }
        let ty = self.pick(&[INT, INT, UINT]);
        let term = &terms[self.random.usize(0..terms.len())];
        let value = term.value.clone().convert(ty.scalar);
        let by = Expression::constant(ty, self.random.i8(1..12).into());
        let operator = self.pick(&[Operator::Add, Operator::Subtract, Operator::Subtract]);
        small(operator, value, by)
    }

    /// An lvalue, and a condition under which this work-item may read or write it. Otherwise the
    /// index may be out of bounds.
    fn guarded(&mut self, write: bool) -> Option<(Expression, Place, Shape)> {
        let entities = self.scope.clone();
        let lane = Expression::variable(UINT, self.lane);
        for _ in 0..8 {
            if entities.is_empty() {
                return None;
            }
            let entity = self.pick(&entities);
            let mut shape = entity.shape.clone();
            // The start and the number of this work-item's elements.
            let (own, length) = match entity.role {
                Role::Private { writable, uniform } => {
                    let Shape::Array(element, length) = entity.shape else {
                        continue;
                    };
                    if write && (!writable || uniform) {
                        continue;
                    }
                    shape = *element;
                    (None, length)
                }
                Role::Region(length) if !write || self.writable_region(entity.variable) => {
                    (None, length)
                }
                Role::Input(length) if !write => (None, length),
                Role::Slice(each) => match self.item {
                    Some(item) => (Some(Expression::variable(UINT, item)), each),
                    None => continue,
                },
                Role::Shared(array) if !self.hide_shared => {
                    if self.shared[array].leading {
                        continue;
                    }
                    let mode = self.shared[array].mode;
                    let mode = match mode {
                        None if !write && self.chance(60) => Mode::Read,
                        None => Mode::Own,
                        Some(mode) => mode,
                    };
                    let place = match mode {
                        Mode::Own => (Some(lane.clone()), self.shared[array].each),
                        Mode::Read if !write => (None, self.total(array)),
                        _ => continue,
                    };
                    self.shared[array].mode = Some(mode);
                    place
                }
                _ => continue,
            };
            let index = self.wild_index();
            let ty = index.ty;
            let end = Expression::constant(ty, length as i128);
            let mut condition = Expression::compare(Comparison::Less, index.clone(), end);
            if ty.scalar.signed() {
                let zero = Expression::constant(ty, 0);
                let positive = Expression::compare(Comparison::GreaterOrEqual, index.clone(), zero);
                condition = if self.random.bool() {
                    and(positive, condition)
                } else {
                    and(condition, positive)
                };
            }
            let index = match own {
                None => index,
                Some(number) => {
                    let each = Expression::constant(ty, length as i128);
                    let start = small(Operator::Multiply, number.convert(ty.scalar), each);
                    small(Operator::Add, start, index)
                }
            };
            return Some((condition, Place::element(entity.variable, index), shape));
        }
        None
    }

    /// A value that is loaded if the index is within the array, and another value otherwise.
    pub fn guarded_load(&mut self, ty: Type) -> Option<Expression> {
        if self.pure || self.nesting > 0 {
            return None;
        }
        let (condition, place, shape) = self.guarded(false)?;
        let (place, found) = self.descend(place, &shape, false);
        let value = self.adapt(place, found, ty);
        let condition = if self.chance(25) {
            and(condition, self.condition(1, false))
        } else {
            condition
        };
        let otherwise = self.expression(ty, 0, false);
        let parts = Box::new([condition, value, otherwise]);
        Some(Expression::new(ty, Kind::Ternary(parts)))
    }

    /// Reads and writes by work-items whose indices are within their arrays.
    pub fn guarded_statements(&mut self, flow: Flow, block: &mut Block) {
        if self.pure {
            return;
        }
        let Some((condition, place, shape)) = self.guarded(true) else {
            return;
        };
        let (place, ty) = self.descend(place, &shape, false);
        let value = self.expression(ty, 2, false);
        let mut body = vec![Statement::Assign(place, None, value)];
        if flow.depth > 0 && self.chance(40) {
            let inner = self.divergent(flow.nested());
            let count = self.random.usize(1..=3);
            body.extend(self.block(inner, count));
        }
        block.push(Statement::If(condition, body, Vec::new()));
    }

    /// A value of this type that work-items read with consecutive addresses.
    fn streamed(&mut self, ty: Type) -> Option<Expression> {
        let mut found = Vec::new();
        for entity in &self.scope {
            let length = match entity.role {
                Role::Input(length) => length,
                Role::Shared(array)
                    if !self.hide_shared
                        && matches!(self.shared[array].mode, None | Some(Mode::Read)) =>
                {
                    self.total(array)
                }
                _ => continue,
            };
            found.push((entity.clone(), length));
        }
        if found.is_empty() {
            return None;
        }
        let (entity, length) = self.pick(&found);
        let index = self.followed(length, false)?;
        if let Role::Shared(array) = entity.role {
            self.shared[array].mode = Some(Mode::Read);
        }
        let place = Place::element(entity.variable, index);
        let (place, from) = self.descend(place, &entity.shape, false);
        Some(self.adapt(place, from, ty))
    }

    /// A loop that accumulates values which work-items read with consecutive addresses.
    pub fn accumulate(&mut self, flow: Flow, block: &mut Block) {
        if self.pure || flow.rounds > 8 {
            return;
        }
        let ty = self.any_type();
        let sum = self.new_object(Space::Private, Shape::Value(ty));
        let first = Initial::Value(self.expression(ty, 0, false));
        let trips = self.random.usize(2..=8);
        let to = match self.random.u8(0..4) {
            0 => self.index(trips + 1, 1, false).convert(Scalar::Int),
            _ => Expression::constant(INT, trips as i128),
        };
        let variable = self.new_object(Space::Private, Shape::Value(INT));
        self.ranges.push(LoopRange {
            variable,
            ty: INT,
            first: 0,
            last: trips as i128 - 1,
            uniform: false,
        });
        let mut body = Vec::new();
        for _ in 0..self.random.usize(1..=2) {
            let (Some(left), Some(right)) = (self.streamed(ty), self.streamed(ty)) else {
                continue;
            };
            // Floating-point numbers use the first two.
            let operators = [Operator::Multiply, Operator::Add, Operator::Xor];
            let some = if ty.scalar.is_real() { 2 } else { 3 };
            let operator = self.pick(&operators[..some]);
            let product = Expression::binary(operator, left, right);
            let product = if self.chance(25) {
                let condition = self.condition(1, false);
                let other = self.expression(ty, 0, false);
                Expression::new(ty, Kind::Ternary(Box::new([condition, product, other])))
            } else {
                product
            };
            let operator = self.pick(&operators[1..some]);
            let value = Expression::binary(operator, Expression::variable(ty, sum), product);
            body.push(Statement::Assign(Place::variable(sum), None, value));
        }
        self.ranges.pop();
        if body.is_empty() {
            return;
        }
        if self.chance(20) {
            let condition = self.condition(1, false);
            let jump = self.pick(&[Statement::Break, Statement::Continue]);
            let at = self.random.usize(0..=body.len());
            body.insert(at, Statement::If(condition, vec![jump], Vec::new()));
        }
        block.push(Statement::Declare(sum, first));
        block.push(Statement::For {
            variable,
            from: Expression::constant(INT, 0),
            to,
            step: 1,
            body,
        });
        let role = Role::Private {
            writable: true,
            uniform: false,
        };
        self.enter(sum, Shape::Value(ty), role);
    }
}
