//! Cooperation of the work-items of a group.

use super::*;

impl Generator {
    /// One work-item accesses a whole shared array.
    pub(super) fn leader(&mut self, flow: Flow, block: &mut Block) {
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

    /// Each work-item writes its own element, and reads another one's after a barrier.
    pub(super) fn exchange(&mut self, flow: Flow, block: &mut Block) {
        if self.shared.is_empty() || !self.barrier_allowed(flow) {
            return;
        }
        let array = self.random.usize(0..self.shared.len());
        let entity = self
            .scope
            .iter()
            .find(|entity| entity.role == Role::Shared(array));
        let Some(&Entity {
            variable,
            shape: Shape::Value(ty),
            ..
        }) = entity
        else {
            return;
        };
        self.bring(array, Some(Mode::Own), flow, block);
        let value = self.expression(ty, 2, false);
        let Some(own) = self.shared_index(array, true, false) else {
            return;
        };
        block.push(Statement::Assign(
            Place::element(variable, own),
            None,
            value,
        ));
        let barrier = self.barrier();
        block.push(barrier);
        let by = self.random.usize(0..self.geometry.group_items());
        self.shared[array].mode = Some(Mode::Rotated(by));
        let Some(others) = self.shared_index(array, false, false) else {
            return;
        };
        let read = Expression::new(ty, Kind::Load(Place::element(variable, others)));
        let result = self.new_object(Space::Private, Shape::Value(ty));
        block.push(Statement::Declare(result, Initial::Value(read)));
        let role = Role::Private {
            writable: true,
            uniform: false,
        };
        self.enter(result, Shape::Value(ty), role);
    }

    pub(super) fn atomic(&mut self, flow: Flow, block: &mut Block) {
        let mut candidates = Vec::new();
        for entity in &self.scope {
            let Shape::Value(ty) = entity.shape else {
                continue;
            };
            if ty.width > 1 || ty.scalar.bits() < 32 || ty.scalar.is_real() {
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

    /// Takes a number from a counter and adds it to a total.
    pub(super) fn ticket(&mut self, flow: Flow, block: &mut Block) {
        let (mut counters, mut totals) = (Vec::new(), Vec::new());
        for entity in &self.scope {
            let Shape::Value(ty) = entity.shape else {
                continue;
            };
            if ty.width > 1 || ty.scalar.bits() < 32 || ty.scalar.is_real() {
                continue;
            }
            match entity.role {
                Role::Counters(_) | Role::Shared(_) => counters.push(entity.clone()),
                Role::Atomic(length, Atomic::Add) => totals.push((entity.variable, length)),
                _ => {}
            }
        }
        if counters.is_empty() || totals.is_empty() {
            return;
        }
        let counter = self.pick(&counters);
        let length = match counter.role {
            Role::Counters(length) => length,
            Role::Shared(array) => {
                if !self.bring(array, Some(Mode::Counters), flow, block) {
                    return;
                }
                self.total(array)
            }
            _ => return,
        };
        // Conditions of tickets are often uniform.
        let uniform = self.chance(60);
        let index = self.index(length, 1, uniform);
        let counter = Place::element(counter.variable, index);
        let (total, length) = self.pick(&totals);
        // If numbers of one counter were added to several totals, these would depend on the order
        // of work-items.
        let index = Expression::constant(UINT, self.random.usize(0..length) as i128);
        block.push(Statement::Ticket {
            counter,
            up: self.random.bool(),
            total: Place::element(total, index),
            factor: self.random.u32(..).into(),
        });
    }

    /// A fence orders a work-item's own accesses, which does not change the modes.
    pub(super) fn fence(&mut self, block: &mut Block) {
        if !self.pure {
            let (local, global) = self.pick(&[(true, false), (false, true), (true, true)]);
            block.push(Statement::Fence { local, global });
        }
    }

    pub(super) fn group_copy(&mut self, flow: Flow, block: &mut Block) {
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
}
