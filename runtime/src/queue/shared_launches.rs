//! Which launches share a simulated time, decided when they are enqueued, so that it depends on the
//! order of calls alone. A launch that depends on what the host program does next is executed.

use crate::event::Event;
use crate::kernel::{LaunchKey, SharedReport, Sharing};
use environment::SHARE_LAUNCHES;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Once, Weak};

/// Maximum number of launches that are remembered: some programs give each launch another value.
const MOST: usize = 1 << 16;

/// Launches that are executed, and launches that share the time of one.
static EXECUTED: AtomicU64 = AtomicU64::new(0);
static SHARED: AtomicU64 = AtomicU64::new(0);

/// The launches that are executed, and that others may share the time of.
static PROVIDERS: LazyLock<Mutex<HashMap<Arc<LaunchKey>, Provider>>> =
    LazyLock::new(Mutex::default);

/// A launch that is executed.
struct Provider {
    event: Weak<Event>,
    report: SharedReport,
}

/// A launch has been enqueued with this event. Returns the event of another launch if that is
/// executed in its place; this one has to wait for it.
pub(super) fn enqueued(sharing: Option<&Sharing>, event: &Arc<Event>) -> Option<Arc<Event>> {
    let simulated = event.simulated();
    let is_ordered = simulated.is_some_and(|simulated| simulated.state.lock().ordered);
    let Some(sharing) = sharing.filter(|_| is_ordered) else {
        EXECUTED.fetch_add(1, Ordering::Relaxed);
        return None;
    };
    let mut providers = PROVIDERS.lock();
    if let Some(provider) = providers.get(&sharing.key) {
        let provided = provider.report.get().is_some();
        let event = provider.event.upgrade();
        if provided || event.is_some() {
            sharing.join(Arc::clone(&provider.report));
            SHARED.fetch_add(1, Ordering::Relaxed);
            warn();
            return event.filter(|_| !provided);
        }
    }
    EXECUTED.fetch_add(1, Ordering::Relaxed);
    if providers.len() >= MOST {
        providers.clear();
    }
    let report = SharedReport::default();
    sharing.join(Arc::clone(&report));
    let provider = Provider {
        event: Arc::downgrade(event),
        report,
    };
    providers.insert(Arc::clone(&sharing.key), provider);
    None
}

/// Says once that results are not computed.
fn warn() {
    static SAID: Once = Once::new();
    SAID.call_once(|| {
        eprintln!(
            "mocl3: {SHARE_LAUNCHES}=1: launches that are equal to earlier ones are not executed, and \
             the program's results are not computed"
        );
    });
}

/// Numbers of launches enqueued so far that are executed, and that share the time of one.
pub fn counts() -> [u64; 2] {
    [&EXECUTED, &SHARED].map(|count| count.load(Ordering::Relaxed))
}
