//! Ends the process with a report if a thread is in one activity for too long.

use crate::counter::Counter;
use parking_lot::Mutex;
use std::cell::RefCell;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// The exit code of a process that the watchdog ended.
pub const STUCK: i32 = 86;

/// Interval between checks.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

/// The state of one thread.
#[derive(Default)]
struct Doing {
    /// The activity, with the data needed to repeat it.
    activity: String,
    /// Calls and waits that have not returned, the innermost last.
    waiting: Vec<(&'static str, u64)>,
}

/// A thread's entry. Threads of the platform that call callbacks have one as well.
struct Slot {
    name: String,
    doing: Mutex<Doing>,
}

static SLOTS: Mutex<Vec<Arc<Slot>>> = Mutex::new(Vec::new());
static ORIGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
static PATIENCE_MILLISECONDS: AtomicU64 = AtomicU64::new(60_000);

fn now() -> u64 {
    ORIGIN.elapsed().as_millis() as u64
}

/// Removes the thread's slot when the thread ends.
struct Own(Arc<Slot>);

impl Drop for Own {
    fn drop(&mut self) {
        let mut slots = SLOTS.lock();
        slots.retain(|slot| !Arc::ptr_eq(slot, &self.0));
    }
}

thread_local! {
    static OWN: RefCell<Option<Own>> = const { RefCell::new(None) };
}

fn with_doing<R>(change: impl FnOnce(&mut Doing) -> R) -> R {
    let mut change = Some(change);
    let mut on = |slot: &Slot| change.take().expect("once")(&mut slot.doing.lock());
    OWN.try_with(|own| {
        let mut own = own.borrow_mut();
        let own = own.get_or_insert_with(|| {
            let thread = std::thread::current();
            let slot = Arc::new(Slot {
                name: thread.name().unwrap_or("library thread").to_owned(),
                doing: Mutex::default(),
            });
            SLOTS.lock().push(Arc::clone(&slot));
            Own(slot)
        });
        on(&own.0)
    })
    // The thread is ending, and one of its last destructors called a callback.
    .unwrap_or_else(|_| {
        on(&Slot {
            name: String::new(),
            doing: Mutex::default(),
        })
    })
}

/// Records that the calling thread begins an activity.
pub fn begin(activity: String) {
    with_doing(|doing| doing.activity = activity);
}

/// Records that the calling thread waits for `what`, until the result is dropped.
#[must_use]
pub fn waiting(what: &'static str) -> Waiting {
    let since = now();
    with_doing(|doing| doing.waiting.push((what, since)));
    Waiting(())
}

/// Counts a call and records that the calling thread is in it, until the result is dropped.
#[must_use]
pub fn calling(counter: &'static Counter) -> Waiting {
    counter.count();
    waiting(counter.name())
}

/// See `waiting`.
pub struct Waiting(());

impl Drop for Waiting {
    fn drop(&mut self) {
        with_doing(|doing| doing.waiting.pop());
    }
}

/// Records that the calling thread waits for other watched threads, until the result is dropped.
#[must_use]
pub fn pausing() -> Waiting {
    with_doing(|doing| doing.waiting.push(("all threads", u64::MAX)));
    Waiting(())
}

/// Starts the watchdog: a thread that is in one call or wait for longer than `patience`
/// ends the process.
pub fn start(patience: Duration) {
    PATIENCE_MILLISECONDS.store(patience.as_millis() as u64, Ordering::Relaxed);
    LazyLock::force(&ORIGIN);
    std::thread::Builder::new()
        .name("watchdog".to_owned())
        .spawn(|| {
            loop {
                std::thread::sleep(LOOK_AGAIN);
                if let Some(stuck) = stuck() {
                    eprintln!("{stuck}\n{}", state());
                    // SAFETY: nothing of this process is needed any more; `exit` would run
                    // handlers that may wait for the very threads that are stuck.
                    unsafe { libc::_exit(STUCK) };
                }
            }
        })
        .expect("a thread for the watchdog");
}

/// A description of a stuck thread, if there is one.
fn stuck() -> Option<String> {
    let patience = PATIENCE_MILLISECONDS.load(Ordering::Relaxed);
    SLOTS.lock().iter().find_map(|slot| {
        let doing = slot.doing.lock();
        let (what, since) = doing.waiting.last()?;
        let waited = now().saturating_sub(*since);
        (waited > patience).then(|| {
            format!(
                "STUCK: {} has been in {what} for {waited} ms, in: {}",
                slot.name, doing.activity
            )
        })
    })
}

/// The activities of the test's threads, and the names of all threads of the process.
pub fn state() -> String {
    let mut text = String::new();
    for slot in SLOTS.lock().iter() {
        let doing = slot.doing.lock();
        let _ = write!(text, "  {}: {}", slot.name, doing.activity);
        for (what, since) in &doing.waiting {
            let _ = write!(text, " > {what} since {} ms", now().saturating_sub(*since));
        }
        text.push('\n');
    }
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten();
    for thread in threads.flatten() {
        let read = |name| std::fs::read_to_string(thread.path().join(name)).unwrap_or_default();
        let status = read("status");
        let state = status
            .lines()
            .find_map(|line| line.strip_prefix("State:"))
            .unwrap_or_default();
        let _ = writeln!(
            text,
            "  thread {}: {} {}",
            thread.file_name().to_string_lossy(),
            read("comm").trim(),
            state.trim()
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_waits_is_named_with_its_activity() {
        let worker = std::thread::Builder::new().name("the worker".to_owned());
        worker
            .spawn(|| {
                begin("an activity, seed 7".to_owned());
                let outer = waiting("the outer call");
                let inner = waiting("the inner call");
                let text = state();
                let line = text.lines().find(|line| line.contains("the worker:"));
                let line = line.unwrap();
                assert!(line.contains("an activity, seed 7"), "{line}");
                let (before, after) = line.split_once("the inner call").unwrap();
                assert!(before.contains("the outer call") && !after.contains("the outer"));
                drop((inner, outer));
                assert!(!state().contains("the outer call"));
            })
            .unwrap()
            .join()
            .unwrap();
        assert!(!state().contains("the worker:"), "it has ended");
    }
}
