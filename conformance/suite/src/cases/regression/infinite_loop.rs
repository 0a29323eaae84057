//! Kernels that never end. The host enqueues one, observes that it runs, and ends its process.

use anyhow::{Result, bail, ensure};
use harness::session::{Argument, Session};
use opencl3::command_queue::CommandQueue;
use opencl3::event::{CL_RUNNING, Event};
use std::time::Duration;

/// The last output of the process, if it ends itself.
const ENDED: &str = "the kernel runs, the host ends";

/// Time limit of `exit`.
const PATIENCE: Duration = Duration::from_secs(15);

/// The loop is in a function, after a loop that ends.
pub fn in_function(session: &Session) -> Result<()> {
    run(
        session,
        r"void sum_for_ever(global const int *data, int count, global int *result)
{
    int sum = 0;
    for (int i = 0; i < count; ++i)
        sum += data[i];
    result[get_global_id(0)] = sum;
    for (;;)
        ;
}

kernel void test(global const int *input, global int *result)
{
    sum_for_ever(input, 4, result);
}
",
        1,
    )
}

/// The loop is after a barrier, so that no work-item ends.
pub fn after_barrier(session: &Session) -> Result<()> {
    run(
        session,
        r"kernel void test(global const int *input, global int *result)
{
    const size_t me = get_local_id(0);
    result[me] = input[me] + 1;
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    for (;;)
        ;
}
",
        4,
    )
}

/// Checks that the process ended itself and that no kernel printed.
pub fn ended(printed: &str) -> Result<()> {
    ensure!(
        printed.trim_end() == ENDED,
        "the process printed {printed:?}, expected {ENDED:?}"
    );
    Ok(())
}

fn run(session: &Session, source: &str, items: usize) -> Result<()> {
    let program = session.program(source, "")?;
    let kernel = program.kernel("test")?;
    let input = session.buffer(&[1, 2, 3, 4])?;
    let result = session.zeros::<i32>(4)?;
    let arguments: [&dyn Argument; 2] = [&input, &result];
    let sizes = [&[][..], &[items], &[items]];
    let event = session.enqueue(&session.queue, &kernel, sizes, &arguments, &[])?;
    session.queue.flush()?;
    while status(&event)? > CL_RUNNING {
        std::thread::sleep(Duration::from_millis(1));
    }
    // On most machines, a kernel whose loop was removed ends within this time. Platforms that keep
    // the loop pass in any case.
    std::thread::sleep(Duration::from_millis(50));
    let after = status(&event)?;
    if after != CL_RUNNING {
        bail!("the command's status is {after}, expected CL_RUNNING: its kernel has no end");
    }
    ensure!(
        CommandQueue::create_default(&session.context, 0).is_ok(),
        "no other queue can be made while the kernel runs"
    );
    println!("{ENDED}");
    // `exit` runs the platform's exit handlers.
    std::thread::spawn(|| {
        std::thread::sleep(PATIENCE);
        eprintln!("exit() has not ended the process after {PATIENCE:?}: it waits for the kernel");
        // SAFETY: ends the process at once.
        unsafe { libc::_exit(1) }
    });
    std::process::exit(0)
}

fn status(event: &Event) -> Result<i32> {
    Ok(event.command_execution_status()?.0)
}
