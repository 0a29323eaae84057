//! Shows exceptions of arithmetic when a program waits for a group, if `HTHREAD_DEBUG` is more than 0.

use device_threads::group::Group;
use environment::HTHREAD_DEBUG;

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

fn is_wanted() -> bool {
    let level = HTHREAD_DEBUG.get();
    let level = level.and_then(|value| value.to_string_lossy().trim().parse::<i64>().ok());
    level.is_some_and(|level| level > 0)
}
