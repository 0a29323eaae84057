//! Shows exceptions of arithmetic when a program waits for a group, if `HTHREAD_DEBUG` is more than 0.

use device_threads::group::Group;
use environment::HTHREAD_DEBUG;
use std::sync::Once;

/// Shows those of the launch that has ended, once.
pub fn show(cluster: i32, group: &Group) {
    if !is_wanted() {
        return;
    }
    for (thread, raised) in group.take_arithmetic() {
        let member = group.members.get(thread as usize);
        let core = member.map_or(thread, |member| member.core);
        eprintln!(
            "[Exceptions]Cluster {cluster}, ThreadGroup {}, Thread {thread}, Core {core}:",
            group.id
        );
        for name in raised.names() {
            eprintln!("[SMAC/VMAC] {name}");
        }
    }
}

/// Whether the level is more than 0. Programs may set the variable before they wait.
fn is_wanted() -> bool {
    static WARNED: Once = Once::new();
    let level = HTHREAD_DEBUG.get().unwrap_or_else(|| "0".into());
    let number = level.to_string_lossy().trim().parse::<i64>();
    if number.is_err() {
        let level = level.display();
        WARNED.call_once(|| log::warn!("{HTHREAD_DEBUG}={level} is no number; taken as 0"));
    }
    number.is_ok_and(|level| level > 0)
}
