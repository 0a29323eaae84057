//! Random choices.

use super::*;

impl Run {
    /// True with a probability of 1 in `of`.
    pub fn one_in(&mut self, of: u32) -> bool {
        self.random.below(of) == 0
    }

    /// Whether the next argument should be invalid.
    pub fn wrong(&mut self) -> bool {
        let drawn = self.random.below(16);
        drawn < self.wrongness
    }

    /// A random element.
    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.random.below(all.len() as u32) as usize]
    }

    /// A size in `low..=high`, often one of the limits.
    pub fn size(&mut self, low: usize, high: usize) -> usize {
        match self.random.below(8) {
            0 => low,
            1 | 2 => high,
            _ => low + self.random.below((high - low + 1) as u32) as usize,
        }
    }

    /// A number that is probably invalid.
    pub fn garbage(&mut self) -> u64 {
        let near = self.random.below(5);
        match self.random.below(9) {
            0 => u64::from(near),
            1 => u64::MAX - u64::from(near),
            2 => (i64::MAX as u64).wrapping_add(u64::from(near)),
            3 => u64::from(u32::MAX) - 2 + u64::from(near),
            4 => i32::MAX as u64 - 2 + u64::from(near),
            5 => 1 << self.random.below(64),
            6 => u64::from(self.random.below(1 << 16)),
            _ => self.random.bits(),
        }
    }

    /// Random bytes.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        let mut state = self.random.bits();
        (0..count)
            .map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                (state >> 56) as u8
            })
            .collect()
    }

    /// A random object that `wanted` accepts. The choice does not depend on the other objects.
    pub fn pick_where(&mut self, wanted: impl Fn(&Object) -> bool) -> Option<Id> {
        let salt = self.random.bits();
        let candidates = self.model.objects().filter(|object| wanted(object));
        candidates
            .map(|object| object.id)
            .max_by_key(|id| mix(salt, u64::from(*id)))
    }

    /// A random object of a kind that is alive.
    pub fn pick(&mut self, kind: Kind) -> Option<Id> {
        self.pick_where(|object| object.kind == kind && object.is_alive())
    }

    /// As `pick`, but an object of a context.
    pub fn pick_in(&mut self, kind: Kind, context: Option<Id>) -> Option<Id> {
        // There are few contexts and many invalid arguments, so sometimes the object has another
        // context.
        if context.is_none() || self.wrong() {
            return self.pick(kind);
        }
        self.pick_where(|object| {
            object.kind == kind && object.is_alive() && Some(object.context) == context
        })
    }
}
