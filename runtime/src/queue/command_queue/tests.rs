use super::*;
use crate::context::ContextNotify;
use crate::device::platform::Platform;
use crate::event::ExecutionStatus;
use crate::memory::host_pointer::HostPointer;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, mpsc};

fn queue(properties: QueueProperties) -> Arc<CommandQueue> {
    let device = &Platform::get().devices()[0];
    let context = Context::new(vec![Arc::clone(device)], None).unwrap();
    CommandQueue::new(&context, device, properties)
}

fn command(body: impl FnOnce() + Send + 'static) -> Command {
    let body = move |_: &[HostPointer]| {
        body();
        Ok(())
    };
    Command::native(Vec::new(), Box::new(body))
}

#[test]
fn a_panic_fails_the_command_but_not_the_queue() {
    let device = &Platform::get().devices()[0];
    let (sentences, received) = mpsc::channel();
    let notify: ContextNotify = Box::new(move |sentence| sentences.send(sentence.into()).unwrap());
    let context = Context::new(vec![Arc::clone(device)], Some(notify)).unwrap();
    let queue = CommandQueue::new(&context, device, QueueProperties::empty());
    let bad = queue.enqueue(command(|| panic!("a test's")), &[]).unwrap();
    let (sender, receiver) = mpsc::channel();
    let good = queue
        .enqueue(command(move || sender.send(7).unwrap()), &[])
        .unwrap();
    assert_eq!(good.wait(), ExecutionStatus::Complete);
    assert_eq!(receiver.recv(), Ok(7));
    assert_eq!(
        bad.wait(),
        ExecutionStatus::Failed(Code::OutOfResources as i32)
    );
    let sentence: String = received.recv().unwrap();
    assert!(sentence.contains("internal error"), "{sentence}");
}

#[test]
fn a_short_command_executes_while_it_is_enqueued_if_nothing_delays_it() {
    let marker = |queue: &Arc<CommandQueue>| queue.enqueue(Command::marker(), &[]).unwrap();
    let idle = queue(QueueProperties::empty());
    assert_eq!(marker(&idle).status(), ExecutionStatus::Complete);

    let busy = queue(QueueProperties::empty());
    let (end, ended) = mpsc::channel::<()>();
    busy.enqueue(command(move || ended.recv().unwrap()), &[])
        .unwrap();
    let after = marker(&busy);
    assert!(!after.status().has_ended());
    end.send(()).unwrap();
    assert_eq!(after.wait(), ExecutionStatus::Complete);
}

#[test]
fn enqueuing_does_not_wait_and_the_worker_needs_no_flush() {
    let queue = queue(QueueProperties::empty());
    let (start, started) = mpsc::channel();
    let (end, ended) = mpsc::channel();
    queue
        .enqueue(
            command(move || {
                started.recv().unwrap();
                end.send(()).unwrap();
            }),
            &[],
        )
        .unwrap();
    start.send(()).unwrap();
    ended.recv().unwrap();
    queue.finish().unwrap();
}

#[test]
fn events_of_another_context_are_refused() {
    let (queue, other) = (
        queue(QueueProperties::empty()),
        queue(QueueProperties::empty()),
    );
    let foreign = Event::user(other.context());
    let error = queue.enqueue(Command::marker(), &[foreign]).err().unwrap();
    assert_eq!(error.code, Code::InvalidContext);
}

#[test]
fn one_command_of_an_in_order_queue_runs_at_a_time() {
    let queue = queue(QueueProperties::empty());
    let (running, done) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..200 {
                    let (running, done) = (Arc::clone(&running), Arc::clone(&done));
                    let body = move || {
                        assert_eq!(running.fetch_add(1, Ordering::SeqCst), 0);
                        running.fetch_sub(1, Ordering::SeqCst);
                        done.fetch_add(1, Ordering::SeqCst);
                    };
                    let event = queue.enqueue(command(body), &[]).unwrap();
                    assert_eq!(event.wait(), ExecutionStatus::Complete);
                }
            });
        }
    });
    queue.finish().unwrap();
    assert_eq!(done.load(Ordering::SeqCst), 800);
}

#[test]
fn independent_commands_of_an_out_of_order_queue_run_at_the_same_time() {
    let queue = queue(QueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for _ in 0..50 {
        let meeting = Arc::new(Barrier::new(MIN_CONCURRENT_COMMANDS));
        for _ in 0..MIN_CONCURRENT_COMMANDS {
            let meeting = Arc::clone(&meeting);
            queue
                .enqueue(command(move || _ = meeting.wait()), &[])
                .unwrap();
        }
        queue.finish().unwrap();
    }
}

/// More native kernels wait than commands may run at the same time; what they wait
/// for is behind them in the same queue.
#[test]
fn a_native_kernel_may_wait_for_commands_of_its_own_queue() {
    let queue = queue(QueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE);
    let gate = Event::user(queue.context());
    let opener = Arc::clone(&gate);
    for _ in 0..10 * MIN_CONCURRENT_COMMANDS.max(host_threads::count()) {
        let gate = Arc::clone(&gate);
        queue
            .enqueue(command(move || _ = gate.wait()), &[])
            .unwrap();
    }
    let open = move || opener.set_user_status(ExecutionStatus::Complete).unwrap();
    queue.enqueue(command(open), &[]).unwrap();
    queue.finish().unwrap();
}

#[test]
fn a_native_kernel_that_waits_for_itself_gets_an_error() {
    let code = |result: Result<()>| result.map_err(|error| error.code).err();
    let both = [
        QueueProperties::empty(),
        QueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE,
    ];
    for properties in both {
        let (queue, outer) = (queue(properties), queue(QueueProperties::empty()));
        let in_order = properties.is_empty();
        let (sender, receiver) = mpsc::channel();
        let own = Arc::clone(&queue);
        let waits = move || {
            let later = own.enqueue(Command::marker(), &[]).unwrap();
            let codes = (code(own.finish()), code(own.check_can_wait()));
            sender
                .send((codes, in_order.then(|| later.wait())))
                .unwrap();
        };
        // Run by a thread that is in the middle of another queue's command.
        let inner = Arc::clone(&queue);
        let nested = move || _ = inner.enqueue(command(waits), &[]).unwrap().wait();
        outer.enqueue(command(nested), &[]).unwrap().wait();
        let ((finish, can_wait), later) = receiver.recv().unwrap();
        assert_eq!(finish, Some(Code::InvalidOperation));
        assert_eq!(can_wait, in_order.then_some(Code::InvalidOperation));
        let failed = ExecutionStatus::Failed(Code::InvalidOperation as i32);
        assert_eq!(later, in_order.then_some(failed));
        queue.finish().unwrap();
    }
}

#[test]
fn who_waits_for_one_command_runs_no_other() {
    let queue = queue(QueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for _ in 0..200 {
        let (open, gate) = mpsc::channel();
        let last = queue
            .enqueue(command(move || gate.recv().unwrap()), &[])
            .unwrap();
        let other = queue.enqueue(command(|| ()), &[]).unwrap();
        assert_eq!(other.wait(), ExecutionStatus::Complete);
        open.send(()).unwrap();
        assert_eq!(last.wait(), ExecutionStatus::Complete);
    }
}

#[test]
fn a_marker_completes_after_all_commands_before_it() {
    let queue = queue(QueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE);
    let gate = Event::user(queue.context());
    let held = queue
        .enqueue(Command::marker(), std::slice::from_ref(&gate))
        .unwrap();
    let markers: Vec<_> = (0..10_000)
        .map(|_| queue.enqueue(Command::marker(), &[]).unwrap())
        .collect();
    let has_not_ended = |event: &Arc<Event>| event.status().value() > 0;
    assert!(markers.iter().all(has_not_ended));
    gate.set_user_status(ExecutionStatus::Complete).unwrap();
    queue.finish().unwrap();
    assert!(!has_not_ended(&held) && !markers.iter().any(has_not_ended));
}

#[test]
fn a_released_user_event_still_holds_back_and_lets_go() {
    let queue = queue(QueueProperties::empty());
    let gate = Event::user(queue.context());
    let weak = Arc::downgrade(&gate);
    let mut chain = vec![queue.enqueue(Command::marker(), &[gate]).unwrap()];
    for _ in 0..10_000 {
        let before = chain[chain.len() - 1..].to_vec();
        chain.push(queue.enqueue(Command::marker(), &before).unwrap());
    }
    let last = chain.pop().unwrap();
    drop(chain);
    assert_eq!(last.status(), ExecutionStatus::Queued);
    let gate = weak.upgrade().expect("a command waits for it");
    gate.set_user_status(ExecutionStatus::Failed(-5)).unwrap();
    assert!(matches!(last.wait(), ExecutionStatus::Failed(_)));
    queue.finish().unwrap();
    drop(gate);
    while weak.strong_count() > 0 {
        std::thread::yield_now();
    }
}

/// Each callback waits for a later command of the same queue.
#[test]
fn callbacks_may_block() {
    let queue = queue(QueueProperties::empty());
    let (sender, receiver) = mpsc::channel();
    for number in 0..20 {
        let event = queue.enqueue(command(|| ()), &[]).unwrap();
        for threshold in [ExecutionStatus::Running, ExecutionStatus::Complete] {
            let (own, queue, sender) = (Arc::clone(&event), Arc::clone(&queue), sender.clone());
            let callback = move |status| {
                own.wait();
                queue.enqueue(command(|| ()), &[]).unwrap();
                queue.finish().unwrap();
                sender.send((number, status)).unwrap();
            };
            event.on_status(threshold, Box::new(callback));
        }
    }
    let mut statuses: HashMap<i32, Vec<ExecutionStatus>> = HashMap::new();
    for (number, status) in receiver.iter().take(40) {
        statuses.entry(number).or_default().push(status);
    }
    let expected = [ExecutionStatus::Running, ExecutionStatus::Complete];
    assert!(
        statuses.values().all(|passed| *passed == expected),
        "{statuses:?}"
    );
}

#[test]
fn a_queue_and_its_events_are_dropped_with_their_last_reference() {
    let queue = queue(QueueProperties::empty());
    let weak = Arc::downgrade(&queue);
    let event = queue.enqueue(Command::marker(), &[]).unwrap();
    event.wait();
    drop((queue, event));
    // The worker may still be letting go.
    while weak.strong_count() > 0 {
        std::thread::yield_now();
    }
}
