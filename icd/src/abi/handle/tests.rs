use super::registry::REGISTRY;
use super::*;
use crate::abi::dispatch::{DISPATCH_TABLE, DispatchTable};
use runtime::handle_slot::HandleSlot;

#[derive(Default)]
struct Thing {
    handle: HandleSlot,
    inner: Option<Arc<Thing>>,
}
#[derive(Default)]
struct Other {
    handle: HandleSlot,
}
impl HasHandle for Thing {
    fn handle_slot(&self) -> &HandleSlot {
        &self.handle
    }
}
impl HasHandle for Other {
    fn handle_slot(&self) -> &HandleSlot {
        &self.handle
    }
}
objects! {
    Thing, InvalidEvent, "thing", u8;
    Other, InvalidKernel, "other", ();
}

fn code<T>(result: Result<T>) -> Option<Code> {
    result.err().map(|error| error.code)
}

fn publish_and_release() {
    let handle = publish(Arc::new(Thing::default()));
    release_with::<Thing>(handle, |_| ()).unwrap();
}

/// For each lock, a thread holds it at the moment of a `fork`.
#[test]
fn a_child_of_fork_finds_no_lock_held() {
    publish_and_release();
    let hold: [fn(&dyn Fn()); 2] = [
        |meanwhile| {
            slots::before_fork();
            meanwhile();
            // SAFETY: locked above, on this thread.
            unsafe { slots::in_parent() };
        },
        |meanwhile| {
            let _guards = REGISTRY.each_ref().map(|shard| shard.write());
            meanwhile();
        },
    ];
    for hold in hold {
        let (held, is_held) = std::sync::mpsc::channel();
        let holder = std::thread::spawn(move || {
            hold(&|| {
                held.send(()).unwrap();
                std::thread::sleep(std::time::Duration::from_millis(50));
            });
        });
        is_held.recv().unwrap();
        // SAFETY: the child uses the registry and ends, by a signal if it waits for ever.
        let child = unsafe { libc::fork() };
        if child == 0 {
            // SAFETY: as above.
            unsafe { libc::alarm(10) };
            publish_and_release();
            // SAFETY: as above.
            unsafe { libc::_exit(0) };
        }
        let mut status = 1;
        // SAFETY: the child is this process's.
        assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
        assert_eq!(status, 0);
        holder.join().unwrap();
    }
}

#[test]
fn foreign_handles_are_not_dereferenced() {
    for address in [0usize, 1, 0xdead_beef_dead_bee0, usize::MAX] {
        let handle = std::ptr::without_provenance_mut(address);
        assert_eq!(code(object::<Thing>(handle)), Some(Code::InvalidEvent));
        assert_eq!(code(retain::<Thing>(handle)), Some(Code::InvalidEvent));
        assert_eq!(code(release::<Other>(handle)), Some(Code::InvalidKernel));
    }
}

#[test]
fn the_first_word_is_the_dispatch_table() {
    let handle = publish(Arc::new(Thing::default()));
    // SAFETY: a live handle is the address of a `Handle`.
    let first = unsafe { *handle.cast::<*const DispatchTable>() };
    assert!(std::ptr::eq(first, &DISPATCH_TABLE));
    release::<Thing>(handle).unwrap();
}

#[test]
fn a_handle_of_another_kind_is_refused() {
    let handle = publish(Arc::new(Thing::default()));
    assert_eq!(code(object::<Other>(handle)), Some(Code::InvalidKernel));
    assert_eq!(code(retain::<Other>(handle)), Some(Code::InvalidKernel));
    assert_eq!(code(release::<Other>(handle)), Some(Code::InvalidKernel));
    release::<Thing>(handle).unwrap();
}

#[test]
fn released_objects_end_and_their_handles_are_stale() {
    let thing = Arc::new(Thing::default());
    let weak = Arc::downgrade(&thing);
    let handle = publish(thing);
    retain::<Thing>(handle).unwrap();
    release::<Thing>(handle).unwrap();
    assert!(object::<Thing>(handle).is_ok());
    release::<Thing>(handle).unwrap();
    assert!(weak.upgrade().is_none());
    assert_eq!(code(object::<Thing>(handle)), Some(Code::InvalidEvent));
    assert_eq!(code(release::<Thing>(handle)), Some(Code::InvalidEvent));
}

#[test]
fn the_handle_lives_as_long_as_the_object() {
    let thing = Arc::new(Thing::default());
    let handle = publish(Arc::clone(&thing));
    release::<Thing>(handle).unwrap();
    assert_eq!(reference_count(&thing), 0);
    assert_eq!(code(release::<Thing>(handle)), Some(Code::InvalidEvent));
    assert_eq!(handle_of(&thing), handle);
    retain::<Thing>(handle).unwrap();
    assert_eq!(reference_count(&thing), 1);
    drop(thing);
    assert!(object::<Thing>(handle).is_ok());
    release::<Thing>(handle).unwrap();
    assert_eq!(code(object::<Thing>(handle)), Some(Code::InvalidEvent));
}

#[test]
fn an_object_may_own_others() {
    let inner = Arc::new(Thing::default());
    let inner_handle = publish(Arc::clone(&inner));
    let outer_handle = publish(Arc::new(Thing {
        inner: Some(inner),
        ..Thing::default()
    }));
    release::<Thing>(inner_handle).unwrap();
    let outer = object::<Thing>(outer_handle).unwrap();
    assert_eq!(outer.inner.as_ref().map(handle_of), Some(inner_handle));
    drop(outer);
    release::<Thing>(outer_handle).unwrap();
    assert_eq!(
        code(object::<Thing>(inner_handle)),
        Some(Code::InvalidEvent)
    );
}

#[test]
fn attachments_are_kept() {
    let thing = Arc::new(Thing::default());
    let handle = publish_with(Arc::clone(&thing), 7);
    assert_eq!(*attachment(&thing), 7);
    release::<Thing>(handle).unwrap();
}

#[test]
fn threads_can_race_for_the_last_reference() {
    for _ in 0..200 {
        let handle = publish(Arc::new(Thing::default())).expose_provenance();
        let released: usize = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(move || {
                        let handle = std::ptr::with_exposed_provenance_mut(handle);
                        let _ = object::<Thing>(handle);
                        usize::from(release::<Thing>(handle).is_ok())
                    })
                })
                .collect();
            threads.into_iter().map(|t| t.join().unwrap()).sum()
        });
        assert_eq!(released, 1);
    }
}
