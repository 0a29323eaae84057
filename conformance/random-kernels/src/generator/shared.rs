//! Arrays that the work-items of a group share. Between two barriers an array is used in one
//! mode only, so that there are no data races.

use super::*;

/// An atomic that may be mixed with `kind`.
pub fn like(generator: &mut Generator, kind: Atomic) -> Atomic {
    match kind {
        Atomic::Add => generator.pick(&[
            Atomic::Add,
            Atomic::Subtract,
            Atomic::Increment,
            Atomic::Decrement,
        ]),
        _ => kind,
    }
}

/// A random kind of atomics.
pub fn any_kind(generator: &mut Generator) -> Atomic {
    generator.pick(&[
        Atomic::Add,
        Atomic::And,
        Atomic::Or,
        Atomic::Xor,
        Atomic::Min,
        Atomic::Max,
    ])
}

impl Generator {
    /// Chooses the kernel's shared arrays.
    pub fn plan_shared(&mut self) -> Vec<SharedArray> {
        let count = self.random.usize(usize::from(self.profile.barriers)..=3);
        (0..count)
            .map(|_| {
                let space = if self.chance(75) {
                    Space::Local
                } else {
                    Space::Global
                };
                let shape = match self.random.u8(0..10) {
                    0..4 => {
                        let scalar = self.pick(&[Scalar::Int, Scalar::Uint]);
                        Shape::Value(Type::new(scalar, 1))
                    }
                    4 if !self.structs.is_empty() && space == Space::Local => {
                        Shape::Struct(self.random.usize(0..self.structs.len()))
                    }
                    _ => Shape::Value(self.any_type()),
                };
                SharedArray {
                    space,
                    shape,
                    each: self.pick(&[1, 1, 2, 3, 4]),
                    mode: None,
                    leading: false,
                }
            })
            .collect()
    }

    pub fn total(&self, array: usize) -> usize {
        self.shared[array].each * self.geometry.group_items()
    }

    /// A barrier. The arrays that it fences may be used in any mode afterwards.
    pub fn barrier(&mut self) -> Statement {
        let mut uses = |space| {
            let used = self
                .shared
                .iter()
                .any(|array| array.space == space && array.mode.is_some());
            used || self.random.u8(0..4) == 0
        };
        let (mut local, global) = (uses(Space::Local), uses(Space::Global));
        local |= !global;
        for array in &mut self.shared {
            let fenced = match array.space {
                Space::Local => local,
                _ => global,
            };
            if fenced {
                array.mode = None;
            }
        }
        self.barriers += 1;
        Statement::Barrier { local, global }
    }

    pub fn barrier_allowed(&self, flow: Flow) -> bool {
        flow.uniform && self.group_function && !self.returned
    }

    pub fn modes(&self) -> Vec<Option<Mode>> {
        self.shared.iter().map(|array| array.mode).collect()
    }

    pub fn set_modes(&mut self, modes: &[Option<Mode>]) {
        for (array, mode) in self.shared.iter_mut().zip(modes) {
            array.mode = *mode;
        }
    }

    /// Joins branches that end with these modes. If they differ for an array, a barrier is
    /// inserted; where no barrier is allowed, the array becomes unusable.
    pub fn merge(&mut self, all: &[Vec<Option<Mode>>], flow: Flow) -> Option<Statement> {
        let mut fits = true;
        let mut merged = vec![None; self.shared.len()];
        for modes in all {
            for (mode, merged) in modes.iter().zip(&mut merged) {
                match (*mode, *merged) {
                    (Some(mode), Some(other)) if mode != other => {
                        fits = false;
                        *merged = Some(Mode::Unusable);
                    }
                    (Some(mode), None) => *merged = Some(mode),
                    _ => {}
                }
            }
        }
        self.set_modes(&merged);
        if fits || !self.barrier_allowed(flow) {
            return None;
        }
        // Two modes of an array conflict, so the barrier has to fence it. It fences all memory.
        for array in &mut self.shared {
            array.mode = None;
        }
        self.barriers += 1;
        Some(Statement::Barrier {
            local: true,
            global: true,
        })
    }

    fn lane_times(&mut self, lane: Expression, each: usize) -> Expression {
        let start = Expression::binary(
            Operator::Multiply,
            lane,
            Expression::constant(UINT, each as i128),
        );
        if each == 1 {
            return start;
        }
        let index = self.index(each, 1, false);
        Expression::binary(Operator::Add, start, index)
    }

    /// An index into a shared array that causes no data race, if there is one.
    pub fn shared_index(&mut self, array: usize, write: bool, uniform: bool) -> Option<Expression> {
        let items = self.geometry.group_items();
        if self.hide_shared {
            return None;
        }
        let state = &self.shared[array];
        if state.leading {
            let total = self.total(array);
            return (!uniform).then(|| self.index(total, 1, false));
        }
        let mode = match state.mode {
            Some(mode) => mode,
            None => {
                let mode = match self.random.u8(0..10) {
                    0..4 if !write => Mode::Read,
                    0..7 => Mode::Own,
                    7..9 => Mode::Rotated(self.random.usize(0..items)),
                    _ => Mode::Mirrored,
                };
                if uniform && mode != Mode::Read {
                    return None;
                }
                self.shared[array].mode = Some(mode);
                mode
            }
        };
        if uniform && mode != Mode::Read {
            return None;
        }
        let each = self.shared[array].each;
        let lane = Expression::variable(UINT, self.lane);
        let constant = |value: usize| Expression::constant(UINT, value as i128);
        match mode {
            Mode::Own => Some(self.lane_times(lane, each)),
            Mode::Rotated(by) => {
                let sum = Expression::binary(Operator::Add, lane, constant(by));
                let other = Expression::binary(Operator::Remainder, sum, constant(items));
                Some(self.lane_times(other, each))
            }
            Mode::Mirrored => {
                let other = Expression::binary(Operator::Subtract, constant(items - 1), lane);
                Some(self.lane_times(other, each))
            }
            Mode::Read if !write => {
                let total = self.total(array);
                Some(self.any_index(total, 2, uniform))
            }
            Mode::Read | Mode::Leader(_) | Mode::Atomic(_) | Mode::Counters | Mode::Unusable => {
                None
            }
        }
    }

    /// Changes the mode of a shared array, with a barrier if one is needed and allowed.
    pub fn bring(
        &mut self,
        array: usize,
        mode: Option<Mode>,
        flow: Flow,
        block: &mut Block,
    ) -> bool {
        let now = self.shared[array].mode;
        if now.is_some() && now != mode {
            if !self.barrier_allowed(flow) {
                return false;
            }
            // The array was used, so the barrier fences it.
            let barrier = self.barrier();
            block.push(barrier);
        }
        self.shared[array].mode = mode;
        true
    }
}
