//! LLVM's target machines, kept for later compilations: their models of a processor take LLVM a
//! millisecond to set up, a tenth of the time for a small kernel.

use inkwell::targets::TargetMachine;
use parking_lot::Mutex;
use std::mem::ManuallyDrop;
use std::ops::Deref;

/// Most machines of a kind that are kept. Others are disposed of after use.
const MAX_KEPT: usize = 4;

static POOL: Mutex<Vec<(Kind, Idle)>> = Mutex::new(Vec::new());

/// What target machines differ in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// For the host's CPU, optimised.
    Host,
    /// For the host's CPU, optimised little.
    HostUnoptimised,
    /// For the host's CPU, with code made in the least time.
    HostQuick,
    /// For any host, optimised.
    Any,
    /// For any host, optimised little.
    AnyUnoptimised,
}

struct Idle(TargetMachine);

// SAFETY: a target machine belongs to no context or thread. It is owned here, and used by one thread at
// a time.
unsafe impl Send for Idle {}

/// A target machine that returns to the pool when it is dropped. What stops a compilation on a guarded
/// thread drops nothing, so that no machine returns in an unknown state.
pub struct PooledMachine {
    kind: Kind,
    machine: ManuallyDrop<TargetMachine>,
}

impl PooledMachine {
    /// An idle machine of that kind, or a `new` one.
    pub fn take(kind: Kind, new: impl FnOnce(Kind) -> TargetMachine) -> Self {
        let idle = || {
            // A thread that was stopped, or the parent of a forked process, may hold the lock for ever.
            let mut pool = POOL.try_lock()?;
            let at = pool.iter().position(|(of, _)| *of == kind)?;
            Some(pool.swap_remove(at).1.0)
        };
        let machine = idle().unwrap_or_else(|| new(kind));
        Self {
            kind,
            machine: ManuallyDrop::new(machine),
        }
    }
}

impl Deref for PooledMachine {
    type Target = TargetMachine;

    fn deref(&self) -> &TargetMachine {
        &self.machine
    }
}

impl Drop for PooledMachine {
    fn drop(&mut self) {
        // SAFETY: it is taken here only, and `self` is not used afterwards.
        let machine = Idle(unsafe { ManuallyDrop::take(&mut self.machine) });
        if let Some(mut pool) = POOL.try_lock()
            && pool.iter().filter(|(of, _)| *of == self.kind).count() < MAX_KEPT
        {
            pool.push((self.kind, machine));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::target;
    use parking_lot::Mutex;
    use std::collections::HashSet;

    #[test]
    fn no_machine_is_used_twice_at_a_time() {
        let held = Mutex::new(HashSet::new());
        let seen = Mutex::new(HashSet::new());
        let use_machines = || {
            for _ in 0..50 {
                let machine = target::machine(false);
                let address = machine.as_mut_ptr() as usize;
                assert!(held.lock().insert(address));
                seen.lock().insert(address);
                std::thread::yield_now();
                held.lock().remove(&address);
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(use_machines);
            }
        });
        assert!(seen.lock().len() < 200, "none was used again");
    }
}
