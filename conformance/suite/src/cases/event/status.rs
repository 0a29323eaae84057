//! The status of all types of commands.

use super::commands::Commands;
use crate::cases::calls::{self, answer, number, refused, status, user_event};
use crate::cases::watch::watch;
use crate::compare::equal;
use anyhow::{Context as _, Result, ensure};
use cl_sys::*;
use harness::call::{code, ok};
use harness::object::{Event, Object, Queue};
use harness::session::Session;
use std::ptr::null_mut;

/// The events of all types of commands have the right type, queue and context.
pub fn types(session: &Session) -> Result<()> {
    let commands = Commands::new(session)?;
    let queue = calls::queue(session, 0)?;
    let mut events = Vec::new();
    for kind in commands.kinds() {
        events.push((kind, commands.enqueue(kind, &queue, &[])?));
    }
    ok!(clFinish(queue.get()))?;
    for (kind, event) in &events {
        let command: u32 = number(answer!(clGetEventInfo(event.get(), CL_EVENT_COMMAND_TYPE))?)?;
        let of: usize = number(answer!(clGetEventInfo(
            event.get(),
            CL_EVENT_COMMAND_QUEUE
        ))?)?;
        let within: usize = number(answer!(clGetEventInfo(event.get(), CL_EVENT_CONTEXT))?)?;
        let name = kind.name;
        equal(
            &format!("command type of {name}"),
            &[command],
            &[kind.command],
        )?;
        equal(&format!("queue of {name}"), &[of], &[queue.get() as usize])?;
        let context = commands.context() as usize;
        equal(&format!("context of {name}"), &[within], &[context])?;
        equal(
            &format!("status of {name} after clFinish"),
            &[status(event)?],
            &[CL_COMPLETE],
        )?;
    }
    Ok(())
}

const TIMES: [cl_uint; 4] = [
    CL_PROFILING_COMMAND_QUEUED,
    CL_PROFILING_COMMAND_SUBMIT,
    CL_PROFILING_COMMAND_START,
    CL_PROFILING_COMMAND_END,
];

fn times(event: &Object<Event>) -> Result<[u64; 4]> {
    let mut times = [0; 4];
    for (time, name) in times.iter_mut().zip(TIMES) {
        *time = number(answer!(clGetEventProfilingInfo(event.get(), name))?)?;
    }
    Ok(times)
}

/// The four times of all types of commands are ordered: of one command, of consecutive commands in
/// an in-order queue, and of commands that wait for events of another queue.
pub fn profiling(session: &Session) -> Result<()> {
    let commands = Commands::new(session)?;
    let queue = calls::queue(session, CL_QUEUE_PROFILING_ENABLE)?;
    let other = calls::queue(session, CL_QUEUE_PROFILING_ENABLE)?;
    let mut before: Option<(&str, Object<Event>)> = None;
    let mut last_of_other: Option<Object<Event>> = None;
    for kind in commands.kinds() {
        let user = user_event(commands.context())?;
        let elsewhere = commands.enqueue(kind, &other, &[user.get()])?;
        let event = commands.enqueue(kind, &queue, &[elsewhere.get()])?;
        let mut bytes = [0u8; 8];
        for name in TIMES {
            refused!(
                CL_PROFILING_INFO_NOT_AVAILABLE,
                clGetEventProfilingInfo(
                    event.get(),
                    name,
                    8,
                    bytes.as_mut_ptr().cast(),
                    null_mut()
                )
            )
            .with_context(|| format!("before {} has ended", kind.name))?;
        }
        refused!(
            CL_PROFILING_INFO_NOT_AVAILABLE,
            clGetEventProfilingInfo(
                user.get(),
                TIMES[0],
                8,
                bytes.as_mut_ptr().cast(),
                null_mut()
            )
        )?;
        ok!(clSetUserEventStatus(user.get(), CL_COMPLETE))?;
        ok!(clFlush(other.get()))?;
        ok!(clFinish(queue.get()))?;
        let all = times(&event)?;
        ensure!(
            all.is_sorted() && all[0] > 0,
            "queued, submitted, started and ended of {}: {all:?}",
            kind.name
        );
        let first = times(&elsewhere)?;
        ensure!(
            first[3] <= all[2],
            "{} ended at {}, what waits for it started at {}",
            kind.name,
            first[3],
            all[2]
        );
        if let Some((name, before)) = &before {
            let end = times(before)?[3];
            ensure!(
                end <= all[2],
                "{name} ended at {end}, {} behind it in the same queue started at {}",
                kind.name,
                all[2]
            );
        }
        equal("times asked once more", &times(&event)?, &all)?;
        before = Some((kind.name, event));
        last_of_other = Some(elsewhere);
    }
    let event = last_of_other.context("there are kinds of commands")?;
    refused!(
        CL_INVALID_VALUE,
        clGetEventProfilingInfo(event.get(), 0x1279, 0, null_mut(), null_mut())
    )?;
    refused!(
        CL_INVALID_VALUE,
        clGetEventProfilingInfo(
            event.get(),
            TIMES[3],
            7,
            [0u8; 8].as_mut_ptr().cast(),
            null_mut()
        )
    )
}

/// Three callbacks for each type of command, registered while it waits.
pub fn callbacks(session: &Session) -> Result<()> {
    let commands = Commands::new(session)?;
    let states = [CL_SUBMITTED, CL_RUNNING, CL_COMPLETE];
    for kind in commands.kinds() {
        let queue = calls::queue(session, 0)?;
        let user = user_event(commands.context())?;
        let event = commands.enqueue(kind, &queue, &[user.get()])?;
        let calls = watch(&event, &states).context(kind.name)?;
        ok!(clFlush(queue.get()))?;
        ok!(clSetUserEventStatus(user.get(), CL_COMPLETE))?;
        let mut expected = states.map(|state| (state, state, true));
        expected.sort_unstable();
        equal(
            &format!(
                "calls for {} (state requested, status, of its event)",
                kind.name
            ),
            &calls.all().context(kind.name)?,
            &expected,
        )?;
        ok!(clFinish(queue.get()))?;
    }
    Ok(())
}

fn wait(event: &Object<Event>) -> cl_int {
    code!(clWaitForEvents(1, &event.get()))
}

/// Each type of command waits for a user event that fails, in its own queue, so that none blocks
/// another.
pub fn negative(session: &Session) -> Result<()> {
    for failure in [-1, -57, -9999, i32::MIN] {
        let commands = Commands::new(session)?;
        let before = commands.contents(session)?;
        let user = user_event(commands.context())?;
        let other = user_event(commands.context())?;
        type Behind = (&'static str, Object<Queue>, [Object<Event>; 2]);
        let mut all: Vec<Behind> = Vec::new();
        for kind in commands.kinds() {
            let queue = calls::queue(session, 0)?;
            // The second event has completed.
            let first = commands.enqueue(kind, &queue, &[user.get(), other.get()])?;
            let second = commands.enqueue(kind, &queue, &[other.get(), first.get()])?;
            ok!(clFlush(queue.get()))?;
            all.push((kind.name, queue, [first, second]));
        }
        ok!(clSetUserEventStatus(other.get(), CL_COMPLETE))?;
        ok!(clSetUserEventStatus(user.get(), failure))?;
        for (name, _, [first, second]) in &all {
            for event in [second, first] {
                calls::is(
                    &format!("clWaitForEvents for {name} behind an event of status {failure}"),
                    wait(event),
                    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                )?;
                let status = status(event)?;
                ensure!(
                    status < 0,
                    "{name} behind an event of status {failure} has status {status}"
                );
            }
        }
        equal("the user event's status", &[status(&user)?], &[failure])?;
        for ((name, got), (_, before)) in commands.contents(session)?.iter().zip(&before) {
            equal(
                &format!("{name} after commands that must not run"),
                got,
                before,
            )?;
        }
    }
    Ok(())
}

/// User events without commands, and threads that wait for them.
pub fn user_events(session: &Session) -> Result<()> {
    let context = session.context.get();
    let event = user_event(context)?;
    equal("status at first", &[status(&event)?], &[CL_SUBMITTED])?;
    for wrong in [CL_SUBMITTED, CL_RUNNING, CL_QUEUED, 4, i32::MAX] {
        refused!(CL_INVALID_VALUE, clSetUserEventStatus(event.get(), wrong))?;
    }
    equal("status after refusals", &[status(&event)?], &[CL_SUBMITTED])?;
    event.count_up_and_down(5, false)?;
    // One of the events has already completed.
    let ended = user_event(context)?;
    ok!(clSetUserEventStatus(ended.get(), CL_COMPLETE))?;
    let set = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| -> Result<()> {
        let waiting: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let list = [ended.get(), event.get()];
                    let code = code!(clWaitForEvents(2, list.as_ptr()));
                    (code, set.load(std::sync::atomic::Ordering::SeqCst))
                })
            })
            .collect();
        std::thread::sleep(std::time::Duration::from_millis(20));
        set.store(true, std::sync::atomic::Ordering::SeqCst);
        ok!(clSetUserEventStatus(event.get(), CL_COMPLETE))?;
        for thread in waiting {
            let got = thread.join().expect("it only waits");
            equal(
                "code of clWaitForEvents, and whether the event was set by then",
                &[got],
                &[(CL_SUCCESS, true)],
            )?;
        }
        Ok(())
    })?;
    for status in [CL_COMPLETE, -5] {
        refused!(
            CL_INVALID_OPERATION,
            clSetUserEventStatus(event.get(), status)
        )?;
    }
    equal("status at the end", &[status(&event)?], &[CL_COMPLETE])?;
    // A list of one failed and two completed events.
    let failed = user_event(context)?;
    ok!(clSetUserEventStatus(failed.get(), -3))?;
    let list = [ended.get(), failed.get(), event.get()];
    refused!(
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        clWaitForEvents(3, list.as_ptr())
    )
}
