//! Statements.

use super::shared::{any_kind, like};
use super::*;

/// Work-items go through more than so many rounds of nested loops: none are added.
const MOST_ROUNDS: usize = 60;

impl Flow {
    /// Where a function begins.
    pub fn start(uniform: bool) -> Self {
        Self {
            uniform,
            enclosing: None,
            in_switch: false,
            in_group_loop: false,
            escape: None,
            depth: 4,
            rounds: 1,
        }
    }

    fn nested(self) -> Self {
        Self {
            depth: self.depth - 1,
            ..self
        }
    }
}

impl Generator {
    /// `flow` where not all work-items are.
    fn divergent(&self, flow: Flow) -> Flow {
        Flow {
            uniform: self.pure && flow.uniform,
            ..flow
        }
    }

    /// Some statements with names of their own.
    pub fn block(&mut self, flow: Flow, count: usize) -> Block {
        let names = self.scope.len();
        let mut block = Vec::new();
        self.statements(flow, count, &mut block);
        self.scope.truncate(names);
        block
    }

    pub fn statements(&mut self, flow: Flow, count: usize, block: &mut Block) {
        for _ in 0..count {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            self.statement(flow, block);
        }
    }

    fn some(&mut self) -> usize {
        self.random.usize(1..=4)
    }

    fn statement(&mut self, flow: Flow, block: &mut Block) {
        match self.random.u8(0..100) {
            0..14 => self.declare_value(flow, block),
            14..19 => self.declare_object(flow, block),
            19..22 => self.declare_pointer(block),
            22..46 => self.assign(flow, block),
            46..49 => self.vector_store(block),
            49..57 if flow.depth > 0 => self.branch(flow, block),
            57..60 if flow.depth > 0 => self.switch(flow, block),
            60..70 if flow.depth > 0 && flow.rounds < MOST_ROUNDS => self.repeat(flow, block),
            70..74 if flow.depth > 0 => self.go(flow, block),
            74..79 => self.leave(flow, block),
            79..84 if self.barrier_allowed(flow) => {
                let barrier = self.barrier();
                block.push(barrier);
            }
            84..87 => self.leader(flow, block),
            87..92 => self.atomic(flow, block),
            92..94 => self.group_copy(flow, block),
            94..99 => self.call(flow, block),
            _ => self.assign(flow, block),
        }
    }

    fn declare_value(&mut self, flow: Flow, block: &mut Block) {
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

    /// What an object of this shape may begin with.
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

    /// Places with an object of this shape that may be copied.
    fn objects(&mut self, shape: &Shape, write: bool, uniform: bool) -> Option<Place> {
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

    fn array_shape(&mut self) -> Shape {
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
            // Too large for registers.
            2 => Shape::array(ty, self.random.usize(20..=80)),
            3..6 => Shape::array(ty, 1 << self.random.u32(0..=most.ilog2())),
            _ => Shape::array(ty, self.random.usize(1..=most)),
        }
    }

    fn declare_object(&mut self, flow: Flow, block: &mut Block) {
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
    fn declare_pointer(&mut self, block: &mut Block) {
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

    /// A place that may be written here, its type, and whether what is written must be
    /// uniform.
    fn target(&mut self, flow: Flow) -> Option<(Place, Type, bool)> {
        let entities = self.scope.clone();
        for _ in 0..8 {
            if entities.is_empty() {
                return None;
            }
            // The newest are the most interesting.
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

    fn writable_region(&self, variable: VariableId) -> bool {
        !matches!(
            self.variables[variable],
            Variable::Pointer {
                space: Space::Constant,
                ..
            }
        )
    }

    fn assign(&mut self, flow: Flow, block: &mut Block) {
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
        let operator = self.chance(35).then(|| self.pick(&operators));
        let value = self.expression(ty, 3, uniform);
        block.push(Statement::Assign(place, operator, value));
    }

    fn vector_store(&mut self, block: &mut Block) {
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

    fn branch(&mut self, flow: Flow, block: &mut Block) {
        let otherwise = self.chance(45);
        let counts = [self.some(), if otherwise { self.some() } else { 0 }];
        let uniform = flow.uniform && self.chance(40);
        let condition = self.condition(2, uniform);
        if uniform {
            let entry = self.modes();
            let then = self.block(flow.nested(), counts[0]);
            let after_then = self.modes();
            self.set_modes(&entry);
            let otherwise = self.block(flow.nested(), counts[1]);
            let after_else = self.modes();
            block.push(Statement::If(condition, then, otherwise));
            let barrier = self.merge(&[after_then, after_else], flow);
            block.extend(barrier);
        } else {
            let inner = self.divergent(flow.nested());
            let then = self.block(inner, counts[0]);
            let otherwise = self.block(inner, counts[1]);
            block.push(Statement::If(condition, then, otherwise));
        }
    }

    fn switch(&mut self, flow: Flow, block: &mut Block) {
        let uniform = flow.uniform && self.chance(40);
        let ty = Type::new(self.pick(&[Scalar::Int, Scalar::Uint, Scalar::Long]), 1);
        let count = self.random.usize(1..=5);
        let value = if self.chance(70) {
            let mask = Expression::constant(ty, if self.random.bool() { 7 } else { 3 });
            let value = self.expression(ty, 2, uniform);
            Expression::binary(Operator::And, value, mask)
        } else {
            self.expression(ty, 2, uniform)
        };
        let mut labels: Vec<i128> = (0..8).collect();
        labels.extend([ty.scalar.min(), ty.scalar.max()]);
        labels.dedup();
        if ty.scalar == Scalar::Uint {
            // Its smallest value is there already.
            labels.remove(8);
        }
        self.random.shuffle(&mut labels);
        let default = self.random.usize(0..count * 2);
        let entry = self.modes();
        let mut ends = vec![entry.clone()];
        let inner = Flow {
            in_switch: true,
            ..flow.nested()
        };
        let inner = if uniform {
            inner
        } else {
            self.divergent(inner)
        };
        let mut cases = Vec::new();
        for number in 0..count {
            let values = if number == default {
                Vec::new()
            } else {
                let several = self.random.usize(1..=2).min(labels.len());
                labels.drain(..several).collect()
            };
            if uniform {
                self.set_modes(&entry);
            }
            let count = self.some();
            let body = self.block(inner, count);
            ends.push(self.modes());
            let falls_through = !uniform && self.chance(30);
            cases.push(Case {
                values,
                body,
                falls_through,
            });
        }
        block.push(Statement::Switch(value, cases));
        if uniform {
            let barrier = self.merge(&ends, flow);
            block.extend(barrier);
        }
    }

    /// A `uint` that counts rounds, from 0 on.
    fn counter(&mut self, uniform: bool, block: &mut Block) -> VariableId {
        let variable = self.new_object(Space::Private, Shape::Value(UINT));
        let zero = Initial::Value(Expression::constant(UINT, 0));
        block.push(Statement::Declare(variable, zero));
        self.enter(
            variable,
            Shape::Value(UINT),
            Role::Private {
                writable: false,
                uniform,
            },
        );
        variable
    }

    fn counted(variable: VariableId) -> Statement {
        let one = Expression::constant(UINT, 1);
        Statement::Assign(Place::variable(variable), Some(Operator::Add), one)
    }

    /// `variable < limit`, and perhaps something else.
    fn again(&mut self, variable: VariableId, limit: usize, uniform: bool) -> Expression {
        let limit = Expression::constant(UINT, limit as i128);
        let counter = Expression::variable(UINT, variable);
        let below = Expression::compare(Comparison::Less, counter, limit);
        if self.chance(30) {
            return below;
        }
        let other = self.condition(2, uniform);
        let operands = if self.random.bool() {
            [below, other]
        } else {
            [other, below]
        };
        Expression::new(INT, Kind::Logical(true, Box::new(operands)))
    }

    /// A loop.
    fn repeat(&mut self, flow: Flow, block: &mut Block) {
        let names = self.scope.len();
        let group = flow.uniform && self.chance(55);
        let trips = self.random.usize(1..=6);
        let mut inner = Flow {
            enclosing: Some(if group {
                LoopKind::Group
            } else {
                LoopKind::Free
            }),
            in_switch: false,
            in_group_loop: flow.in_group_loop || group,
            rounds: flow.rounds * trips,
            ..flow.nested()
        };
        let mut label = None;
        if !group {
            inner = self.divergent(inner);
            if flow.escape.is_none() && self.chance(15) {
                self.labels += 1;
                label = Some(self.labels);
                inner.escape = label;
            }
        } else {
            inner.escape = None;
        }
        let entry = self.modes();
        let barriers = self.barriers;
        let count = self.some();
        match self.random.u8(0..10) {
            0..6 => {
                let step = self.random.usize(1..=2);
                let from = self.random.i8(-3..4).into();
                let to = self.limit(from, trips * step, group);
                let variable = self.new_object(Space::Private, Shape::Value(INT));
                self.enter(
                    variable,
                    Shape::Value(INT),
                    Role::Private {
                        writable: false,
                        uniform: group || self.pure,
                    },
                );
                let mut body = self.block(inner, count);
                self.close(group, &entry, barriers, inner, &mut body);
                block.push(Statement::For {
                    variable,
                    from: Expression::constant(INT, from),
                    to,
                    step: step as i128,
                    body,
                });
            }
            6..8 => {
                let counter = self.counter(group || self.pure, block);
                let condition = self.again(counter, trips, group);
                let mut body = vec![Self::counted(counter)];
                body.extend(self.block(inner, count));
                self.close(group, &entry, barriers, inner, &mut body);
                block.push(Statement::While(condition, body));
            }
            _ => {
                let counter = self.counter(group || self.pure, block);
                let mut body = vec![Self::counted(counter)];
                body.extend(self.block(inner, count));
                self.close(group, &entry, barriers, inner, &mut body);
                let hidden = std::mem::replace(&mut self.hide_shared, group);
                let condition = self.again(counter, trips, group);
                self.hide_shared = hidden;
                block.push(Statement::DoWhile(body, condition));
            }
        }
        if group {
            let end = self.modes();
            let barrier = self.merge(&[entry, end], flow);
            block.extend(barrier);
        }
        self.scope.truncate(names);
        block.extend(label.map(Statement::Label));
    }

    /// Ends the body of a group's loop, so that the next round finds the arrays as the
    /// first one did.
    fn close(
        &mut self,
        group: bool,
        entry: &[Option<Mode>],
        barriers: usize,
        flow: Flow,
        body: &mut Block,
    ) {
        if !group || self.barriers == barriers || self.modes() == entry {
            return;
        }
        debug_assert!(self.barrier_allowed(flow), "there were barriers before");
        for array in &mut self.shared {
            array.mode = None;
        }
        self.barriers += 1;
        body.push(Statement::Barrier {
            local: true,
            global: true,
        });
    }

    /// Where a counted loop ends: at most `distance` above `from`.
    fn limit(&mut self, from: i128, distance: usize, uniform: bool) -> Expression {
        if self.chance(40) {
            return Expression::constant(INT, from + distance as i128);
        }
        let value = self.index(distance + 1, 2, uniform).convert(Scalar::Int);
        let kind = Kind::Binary {
            operator: Operator::Add,
            plain: true,
            operands: Box::new([value, Expression::constant(INT, from)]),
        };
        Expression::new(INT, kind)
    }

    /// Something with `goto`.
    fn go(&mut self, flow: Flow, block: &mut Block) {
        self.labels += 1;
        let label = self.labels;
        let count = self.some();
        match self.random.u8(0..10) {
            0..5 => {
                // Over some statements.
                let uniform = flow.uniform && self.chance(40);
                let condition = self.condition(2, uniform);
                let jump = vec![Statement::Goto(label)];
                block.push(Statement::If(condition, jump, Vec::new()));
                let entry = self.modes();
                let inner = if uniform {
                    flow.nested()
                } else {
                    self.divergent(flow.nested())
                };
                let skipped = self.block(inner, count);
                block.push(Statement::Block(skipped));
                block.push(Statement::Label(label));
                if uniform {
                    let end = self.modes();
                    let barrier = self.merge(&[entry, end], flow);
                    block.extend(barrier);
                }
            }
            5..8 if flow.rounds < MOST_ROUNDS => {
                // Back: a loop.
                let names = self.scope.len();
                let group = flow.uniform && self.chance(50);
                let trips = self.random.usize(1..=4);
                let mut inner = Flow {
                    enclosing: None,
                    in_group_loop: flow.in_group_loop || group,
                    rounds: flow.rounds * trips,
                    escape: None,
                    ..flow.nested()
                };
                if !group {
                    inner = self.divergent(inner);
                }
                let entry = self.modes();
                let barriers = self.barriers;
                let counter = self.counter(group || self.pure, block);
                let mut body = vec![Self::counted(counter)];
                body.extend(self.block(inner, count));
                self.close(group, &entry, barriers, inner, &mut body);
                let hidden = std::mem::replace(&mut self.hide_shared, group);
                let condition = self.again(counter, trips, group);
                self.hide_shared = hidden;
                block.push(Statement::Label(label));
                block.push(Statement::Block(body));
                let jump = vec![Statement::Goto(label)];
                block.push(Statement::If(condition, jump, Vec::new()));
                self.scope.truncate(names);
            }
            _ if flow.rounds < MOST_ROUNDS && !self.reducible => {
                // Into the middle of a loop.
                let names = self.scope.len();
                let trips = self.random.usize(1..=4);
                let inner = self.divergent(Flow {
                    enclosing: Some(LoopKind::Free),
                    in_switch: false,
                    escape: None,
                    rounds: flow.rounds * trips,
                    ..flow.nested()
                });
                let condition = self.condition(2, false);
                let counter = self.counter(self.pure, block);
                let jump = vec![Statement::Goto(label)];
                block.push(Statement::If(condition, jump, Vec::new()));
                let again = self.again(counter, trips, false);
                let first = self.block(inner, count);
                let count = self.some();
                let second = self.block(inner, count);
                let body = vec![
                    Self::counted(counter),
                    Statement::Block(first),
                    Statement::Label(label),
                    Statement::Block(second),
                ];
                block.push(Statement::While(again, body));
                self.scope.truncate(names);
            }
            _ => {}
        }
    }

    /// `break`, `continue`, `return` or `goto` on a condition.
    fn leave(&mut self, flow: Flow, block: &mut Block) {
        let uniform = flow.uniform && (self.pure || self.chance(50));
        let mut ways = Vec::new();
        let leaves_loop = match flow.enclosing {
            Some(LoopKind::Free) => true,
            Some(LoopKind::Group) => uniform,
            None => false,
        };
        if leaves_loop {
            ways.push(Statement::Continue);
            if !flow.in_switch {
                ways.push(Statement::Break);
            }
        }
        if let Some(label) = flow.escape {
            ways.push(Statement::Goto(label));
        }
        let mut jump_body = Vec::new();
        if ways.is_empty() || self.chance(20) {
            // Barriers after a return must be passed by all: then all return, or there
            // are none. A helper's caller relies on how the helper ends.
            let allowed = if uniform {
                !self.group_function || self.signatures_end_freely()
            } else {
                !flow.in_group_loop
            };
            if !allowed || (self.group_function && flow.uniform && self.chance(60)) {
                return;
            }
            let returned = match self.result.clone() {
                None => Some(Statement::Return(None)),
                Some(Shape::Value(ty)) => {
                    Some(Statement::Return(Some(self.expression(ty, 2, false))))
                }
                Some(shape) => self
                    .objects(&shape, false, self.pure)
                    .map(Statement::ReturnObject),
            };
            let Some(returned) = returned else {
                return;
            };
            let condition = self.condition(2, uniform);
            if !uniform {
                self.returned = true;
            }
            block.push(Statement::If(condition, vec![returned], Vec::new()));
            return;
        }
        let condition = self.condition(2, uniform);
        if flow.enclosing == Some(LoopKind::Group) && self.barrier_allowed(flow) {
            // Whatever comes after the loop, or in its next round, may use all arrays.
            let modes = self.modes();
            let barrier = self.barrier();
            jump_body.push(barrier);
            self.set_modes(&modes);
        }
        jump_body.push(self.pick(&ways));
        block.push(Statement::If(condition, jump_body, Vec::new()));
    }

    /// Whether the function may end anywhere: the kernel may.
    fn signatures_end_freely(&self) -> bool {
        self.item.is_some()
    }

    /// One work-item works on a whole shared array.
    fn leader(&mut self, flow: Flow, block: &mut Block) {
        if self.shared.is_empty() {
            return;
        }
        let array = self.random.usize(0..self.shared.len());
        let leader = self.random.usize(0..self.geometry.group_items());
        if !self.bring(array, Some(Mode::Leader(leader)), flow, block) {
            return;
        }
        let Some(entity) = self
            .scope
            .iter()
            .find(|entity| entity.role == Role::Shared(array))
            .cloned()
        else {
            return;
        };
        let condition = Expression::compare(
            Comparison::Equal,
            Expression::variable(UINT, self.lane),
            Expression::constant(UINT, leader as i128),
        );
        self.shared[array].leading = true;
        let mut body = Vec::new();
        for _ in 0..self.random.usize(1..=3) {
            let total = self.total(array);
            let index = self.index(total, 2, false);
            let place = Place::element(entity.variable, index);
            let (place, ty) = self.descend(place, &entity.shape, false);
            let value = self.expression(ty, 2, false);
            body.push(Statement::Assign(place, None, value));
        }
        self.shared[array].leading = false;
        block.push(Statement::If(condition, body, Vec::new()));
    }

    fn atomic(&mut self, flow: Flow, block: &mut Block) {
        let mut candidates = Vec::new();
        for entity in &self.scope {
            let Shape::Value(ty) = entity.shape else {
                continue;
            };
            if ty.width > 1 || ty.scalar.bits() < 32 {
                continue;
            }
            if matches!(entity.role, Role::Atomic(..) | Role::Shared(_)) {
                candidates.push((entity.clone(), ty));
            }
        }
        if candidates.is_empty() {
            return;
        }
        let (entity, ty) = self.pick(&candidates);
        let (length, kind) = match entity.role {
            Role::Atomic(length, kind) => (length, kind),
            Role::Shared(array) => {
                let kind = match self.shared[array].mode {
                    Some(Mode::Atomic(kind)) => kind,
                    _ => any_kind(self),
                };
                if !self.bring(array, Some(Mode::Atomic(kind)), flow, block) {
                    return;
                }
                (self.total(array), kind)
            }
            _ => return,
        };
        let index = self.index(length, 2, false);
        let value = self.expression(ty, 2, false);
        let place = Place::element(entity.variable, index);
        block.push(Statement::Atomic(like(self, kind), place, value));
    }

    fn group_copy(&mut self, flow: Flow, block: &mut Block) {
        if !self.barrier_allowed(flow) {
            return;
        }
        let arrays: Vec<(VariableId, usize)> = self
            .scope
            .iter()
            .filter_map(|entity| match entity.role {
                Role::Shared(array) => Some((entity.variable, array)),
                _ => None,
            })
            .collect();
        if arrays.is_empty() {
            return;
        }
        let (to, array) = self.pick(&arrays);
        let shape = self.shared[array].shape.clone();
        if !matches!(shape, Shape::Value(_)) {
            return;
        }
        let from_space = match self.shared[array].space {
            Space::Local => Space::Global,
            _ => Space::Local,
        };
        let mut sources = Vec::new();
        for entity in &self.scope {
            let space = match &self.variables[entity.variable] {
                Variable::Object { space, .. } | Variable::Pointer { space, .. } => *space,
            };
            if entity.shape != shape || space != from_space {
                continue;
            }
            match entity.role {
                Role::Input(length) => sources.push((entity.variable, length, None)),
                Role::Shared(other) => {
                    sources.push((entity.variable, self.total(other), Some(other)));
                }
                _ => {}
            }
        }
        if sources.is_empty() {
            return;
        }
        let (from, length, shared) = self.pick(&sources);
        if let Some(other) = shared
            && !self.bring(other, Some(Mode::Read), flow, block)
        {
            return;
        }
        if !self.bring(array, None, flow, block) {
            return;
        }
        let total = self.total(array);
        let count = self.random.usize(1..=total.min(length));
        let hidden = std::mem::replace(&mut self.hide_shared, true);
        let mut end = |variable, length: usize| {
            let offset = (length > count && self.chance(60))
                .then(|| Box::new(self.index(length - count + 1, 1, true)));
            Pointer::To(Place::variable(variable), offset)
        };
        let (to, from) = (end(to, total), end(from, length));
        self.hide_shared = hidden;
        self.barriers += 1;
        block.push(Statement::GroupCopy { to, from, count });
    }

    fn call(&mut self, flow: Flow, block: &mut Block) {
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

    /// An argument for a parameter; the shared arrays used so far.
    fn argument(&mut self, parameter: &Parameter, used: &mut Vec<usize>) -> Option<Argument> {
        match parameter {
            Parameter::Value(ty) => Some(Argument::Value(self.expression(*ty, 2, false))),
            Parameter::Struct(number) => {
                let place = self.objects(&Shape::Struct(*number), false, self.pure)?;
                Some(Argument::Object(place))
            }
            Parameter::Region(space, ty, length) => {
                let mut found = Vec::new();
                for entity in &self.scope {
                    let at = match &self.variables[entity.variable] {
                        Variable::Object { space, .. } | Variable::Pointer { space, .. } => *space,
                    };
                    if at != *space {
                        continue;
                    }
                    match (entity.role, &entity.shape) {
                        (
                            Role::Private {
                                writable: true,
                                uniform: false,
                            },
                            Shape::Array(element, n),
                        ) if **element == Shape::Value(*ty) && n >= length => {
                            found.push((entity.variable, None));
                        }
                        (Role::Region(n), shape) if *shape == Shape::Value(*ty) && n >= *length => {
                            found.push((entity.variable, None));
                        }
                        (Role::Slice(n), shape) if *shape == Shape::Value(*ty) && n >= *length => {
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
                Some(Argument::Pointer(Pointer::To(
                    Place::variable(variable),
                    offset,
                )))
            }
            Parameter::Input(space, ty, length) => {
                let found: Vec<VariableId> =
                    self.scope
                        .iter()
                        .filter(|entity| {
                            let at = match &self.variables[entity.variable] {
                                Variable::Object { space, .. }
                                | Variable::Pointer { space, .. } => space,
                            };
                            matches!(entity.role, Role::Input(n) if n >= *length)
                                && at == space
                                && entity.shape == Shape::Value(*ty)
                        })
                        .map(|entity| entity.variable)
                        .collect();
                if found.is_empty() {
                    return None;
                }
                let variable = self.pick(&found);
                Some(Argument::Pointer(Pointer::To(
                    Place::variable(variable),
                    None,
                )))
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
}
