//! Loops.

use super::*;

/// A loop whose body is being generated.
pub(super) struct LoopFrame {
    /// All work-items of the group run the same iterations.
    pub(super) group: bool,
    /// Maximum number of iterations.
    pub(super) trips: usize,
    /// The control flow of the body.
    pub(super) flow: Flow,
    /// The modes of the shared arrays before the loop.
    pub(super) entry: Vec<Option<Mode>>,
    /// Number of barriers generated before the loop.
    pub(super) barriers: usize,
}

impl Generator {
    /// Declares a `uint` counter of iterations that starts at 0.
    pub(super) fn counter(&mut self, uniform: bool, block: &mut Block) -> VariableId {
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

    pub(super) fn counted(variable: VariableId) -> Statement {
        let one = Expression::constant(UINT, 1);
        Statement::Assign(Place::variable(variable), Some(Operator::Add), one)
    }

    /// Generates the part of a loop that is evaluated once more than the body. In a uniform loop it
    /// must not read shared arrays, whose modes at the ends of iterations are not known yet.
    fn round_after_round<T>(&mut self, group: bool, make: impl FnOnce(&mut Self) -> T) -> T {
        let hidden = self.hide_shared;
        self.hide_shared |= group;
        let made = make(self);
        self.hide_shared = hidden;
        made
    }

    /// The condition `variable < limit`, perhaps combined with another one.
    pub(super) fn again(
        &mut self,
        variable: VariableId,
        limit: usize,
        uniform: bool,
    ) -> Expression {
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
    pub(super) fn repeat(&mut self, flow: Flow, block: &mut Block) {
        let names = self.scope.len();
        let group = flow.uniform && self.chance_of(85, 55);
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
        let frame = LoopFrame {
            group,
            trips,
            flow: inner,
            entry: self.modes(),
            barriers: self.barriers,
        };
        let count = self.some();
        match self.random.u8(0..10) {
            0..6 => self.for_loop(&frame, count, block),
            6..8 => self.while_loop(&frame, count, block),
            _ => self.do_loop(&frame, count, block),
        }
        if group {
            let end = self.modes();
            let barrier = self.merge(&[frame.entry, end], flow);
            block.extend(barrier);
        }
        self.scope.truncate(names);
        block.extend(label.map(Statement::Label));
    }

    fn for_loop(&mut self, frame: &LoopFrame, count: usize, block: &mut Block) {
        let LoopFrame { group, trips, .. } = *frame;
        let step = self.random.usize(1..=2);
        let from = self.random.i8(-3..4).into();
        let to = self.round_after_round(group, |generator| {
            generator.limit(from, trips * step, group)
        });
        let variable = self.new_object(Space::Private, Shape::Value(INT));
        self.enter(
            variable,
            Shape::Value(INT),
            Role::Private {
                writable: false,
                uniform: group || self.pure,
            },
        );
        self.ranges.push(LoopRange {
            variable,
            ty: INT,
            first: from,
            last: from + (trips * step) as i128 - 1,
            uniform: group || self.pure,
        });
        let mut body = self.block(frame.flow, count);
        self.ranges.pop();
        self.close(frame, &mut body);
        block.push(Statement::For {
            variable,
            from: Expression::constant(INT, from),
            to,
            step: step as i128,
            body,
        });
    }

    fn while_loop(&mut self, frame: &LoopFrame, count: usize, block: &mut Block) {
        let LoopFrame { group, trips, .. } = *frame;
        let counter = self.counter(group || self.pure, block);
        let condition =
            self.round_after_round(group, |generator| generator.again(counter, trips, group));
        let mut body = vec![Self::counted(counter)];
        self.ranges.push(LoopRange {
            variable: counter,
            ty: UINT,
            first: 1,
            last: trips as i128,
            uniform: group || self.pure,
        });
        body.extend(self.block(frame.flow, count));
        self.ranges.pop();
        self.close(frame, &mut body);
        block.push(Statement::While(condition, body));
    }

    fn do_loop(&mut self, frame: &LoopFrame, count: usize, block: &mut Block) {
        let LoopFrame { group, trips, .. } = *frame;
        let counter = self.counter(group || self.pure, block);
        let mut body = vec![Self::counted(counter)];
        body.extend(self.block(frame.flow, count));
        self.close(frame, &mut body);
        let condition =
            self.round_after_round(group, |generator| generator.again(counter, trips, group));
        block.push(Statement::DoWhile(body, condition));
    }

    /// Ends the body of a uniform loop with a barrier if its modes differ from those at its start.
    pub(super) fn close(&mut self, frame: &LoopFrame, body: &mut Block) {
        if !frame.group || self.barriers == frame.barriers || self.modes() == frame.entry {
            return;
        }
        debug_assert!(
            self.barrier_allowed(frame.flow),
            "there were barriers before"
        );
        for array in &mut self.shared {
            array.mode = None;
        }
        self.barriers += 1;
        body.push(Statement::Barrier {
            local: true,
            global: true,
        });
    }

    /// The limit of a counted loop: at most `distance` above `from`.
    pub(super) fn limit(&mut self, from: i128, distance: usize, uniform: bool) -> Expression {
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
}
