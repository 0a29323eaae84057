//! Where the work-items of a group have arrived: at a barrier, at the beginning of a region of the
//! work-group function, or at the kernel's end. Compiled code stores it.

/// Where a work-item is that is not at a barrier that others have reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elsewhere {
    /// It has returned.
    Returned,
    /// It is at the barrier that the region of that number follows.
    AtBarrier(u32),
}

/// The arrival of a work-item that has returned.
pub const RETURNED: u32 = u32::MAX;

/// What `barrier::agreed_arrival` gives if work-items have arrived at different places.
pub const DIFFERENT: u32 = u32::MAX - 1;

/// As `RETURNED`, once a barrier has been passed that the work-item did not reach.
const RETURNED_BEFORE: u32 = u32::MAX - 2;

/// The arrival of a work-item at a barrier that the region of that number follows.
pub const fn waiting_for(region: u32) -> u32 {
    2 * region + 1
}

/// The arrival of a work-item that runs the region of that number next.
pub const fn running(region: u32) -> u32 {
    2 * region
}

/// Where the work-items of a group have arrived.
pub(crate) struct Arrivals<'a>(&'a mut [u32]);

impl<'a> Arrivals<'a> {
    /// Of the work-items in the order of their local ids.
    pub fn new(arrivals: &'a mut [u32]) -> Self {
        Self(arrivals)
    }

    fn is_waiting(arrival: u32) -> bool {
        arrival < RETURNED_BEFORE && arrival % 2 == 1
    }

    /// The first arrival of a work-item that runs.
    pub fn first_running(&self) -> Option<u32> {
        let is_running = |arrival: &u32| *arrival < RETURNED_BEFORE && arrival.is_multiple_of(2);
        self.0.iter().copied().find(is_running)
    }

    /// Number of work-items.
    pub fn len(&self) -> u64 {
        self.0.len() as u64
    }

    /// The number of the first work-item at a barrier, and the region that follows.
    pub fn first_waiting(&self) -> Option<(u64, u32)> {
        let mut arrivals = self.0.iter().zip(0..);
        let first = arrivals.find(|(arrival, _)| Self::is_waiting(**arrival));
        first.map(|(arrival, item)| (item, arrival / 2))
    }

    /// Work-items at the barriers before some regions.
    pub fn waiting_for(&self, is_here: &dyn Fn(u32) -> bool) -> u64 {
        let arrivals = self.0.iter();
        let is_waiting = |a: &&u32| Self::is_waiting(**a) && is_here(**a / 2);
        arrivals.filter(is_waiting).count() as u64
    }

    /// The number of the first work-item at another barrier, or of the first one that has returned
    /// since the last barrier.
    pub fn elsewhere(&self, is_here: &dyn Fn(u32) -> bool) -> Option<(u64, Elsewhere)> {
        let is_elsewhere = |arrival: u32| Self::is_waiting(arrival) && !is_here(arrival / 2);
        let arrivals = || self.0.iter().copied().zip(0..);
        let at_another = arrivals()
            .find(|(arrival, _)| is_elsewhere(*arrival))
            .map(|(arrival, item)| (item, Elsewhere::AtBarrier(arrival / 2)));
        at_another.or_else(|| {
            let returned = arrivals().find(|(arrival, _)| *arrival == RETURNED);
            returned.map(|(_, item)| (item, Elsewhere::Returned))
        })
    }

    /// Lets the work-items at barriers run.
    pub fn pass_barriers(&mut self) {
        for arrival in self.0.iter_mut() {
            match *arrival {
                RETURNED => *arrival = RETURNED_BEFORE,
                waiting if Self::is_waiting(waiting) => *arrival -= 1,
                _ => {}
            }
        }
    }
}
