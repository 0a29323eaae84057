//! The task queue: instructions that wait to be decoded.

/// The task queue. Instructions enter it at a constant rate while there is place.
pub(super) struct TaskQueue {
    capacity: u64,
    push: u64,
    /// Instructions at `time`.
    held: u64,
    /// When the last instruction entered or could have entered.
    time: u64,
}

impl TaskQueue {
    pub fn new(capacity: u64, push: u64) -> Self {
        Self {
            capacity,
            push,
            held: 0,
            time: 0,
        }
    }

    /// Lets instructions enter until `now`.
    fn update(&mut self, now: u64) {
        let entered = now.saturating_sub(self.time) / self.push;
        let place = self.capacity - self.held;
        if entered >= place {
            self.held = self.capacity;
            self.time = now;
        } else {
            self.held += entered;
            self.time += entered * self.push;
        }
    }

    pub fn is_empty(&mut self, now: u64) -> bool {
        self.update(now);
        self.held == 0
    }

    /// When the next instruction enters, of a queue that is empty.
    pub fn next(&self) -> u64 {
        self.time + self.push
    }

    /// Takes an instruction.
    pub fn pop(&mut self, now: u64) {
        self.update(now);
        self.held = self.held.saturating_sub(1);
    }

    /// Removes all: others enter from `now` on.
    pub fn flush(&mut self, now: u64) {
        self.held = 0;
        self.time = now;
    }
}

#[cfg(test)]
mod tests {
    use super::TaskQueue;

    #[test]
    fn instructions_enter_while_there_is_place() {
        let mut queue = TaskQueue::new(2, 3);
        assert!(queue.is_empty(2));
        assert_eq!(queue.next(), 3);
        assert!(!queue.is_empty(3));
        // It is full from cycle 6 on, and the next instruction enters three cycles after a place is free.
        queue.pop(20);
        queue.pop(21);
        assert!(queue.is_empty(22));
        assert!(!queue.is_empty(23));
        queue.flush(30);
        assert!(queue.is_empty(32));
        assert!(!queue.is_empty(33));
    }
}
