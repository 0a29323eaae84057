//! What a program has not freed: `leak` among the findings of `MOCL3_CHECK=api`.

use crate::checking;
use device_threads::group::Group;
use findings::Kind;
use findings::words::bytes;
use std::sync::Once;

/// Has a function called when the process ends, if calls are checked.
pub fn report_at_exit(at_exit: extern "C" fn()) {
    static ONCE: Once = Once::new();
    if checking::selected().api {
        // SAFETY: a function of this library, which is not unloaded before the process ends.
        ONCE.call_once(|| unsafe {
            libc::atexit(at_exit);
        });
    }
}

/// Reports that a cluster is open when the process ends.
pub fn report_open(id: i32) {
    report(format!("cluster {id} is not closed"));
}

/// Reports kinds of things of a cluster, with their numbers.
pub fn report_things(id: i32, things: &[(&str, usize)]) {
    for (thing, count) in things {
        match count {
            0 => (),
            1 => report(format!("1 {thing} of cluster {id} is not freed")),
            count => report(format!("{count} {thing}s of cluster {id} are not freed")),
        }
    }
}

/// Reports buffers in AM and SM that the threads of a group leave.
pub fn report_buffers(group: &Group) {
    for (thread, member) in group.members.iter().enumerate() {
        for (memory, scratchpad) in [("AM", &member.memory.am), ("SM", &member.memory.sm)] {
            for size in scratchpad.buffer_sizes() {
                let size = bytes(size.into());
                report(format!(
                    "a buffer of {size} in {memory} of thread {thread} of group {} is not freed",
                    group.id
                ));
            }
        }
    }
}

fn report(message: String) {
    checking::report(Kind::Leak, message);
}
