//! Order, completeness and return values of `printf`.

use super::output::lines;
use crate::compare::equal;
use anyhow::{Context, Result, ensure};
use harness::session::Session;
use std::io::Write as _;

/// A buffer receives the return value of each call.
pub fn results(session: &Session) -> Result<()> {
    let source = r#"kernel void test(global int *results)
{
    results[0] = printf("");
    results[1] = printf("one\n");
    results[2] = printf("%d %s\n", 2, "two");
    results[3] = printf("%s", "");
    results[4] = printf("three\n");
}
"#;
    let kernel = session.program(source, "")?.kernel("test")?;
    let results = session.buffer(&[-5; 5])?;
    session.run(&kernel, &[1], &[1], &[&results])?;
    equal("results of printf", &session.read(&results)?, &[0; 5])
}

/// Checks for the output of the calls only.
pub fn results_printed(printed: &str) -> Result<()> {
    lines(printed, &["one", "2 two", "three"].map(str::to_owned))
}

const ITEMS: usize = 600;
const LINES: usize = 7;

/// All work-items print several lines, inside and outside of a loop.
pub fn within(session: &Session) -> Result<()> {
    let source = r#"kernel void test(int lines)
{
    const int me = get_global_id(1) * get_global_size(0) + get_global_id(0);
    printf("%d: begins\n", me);
    for (int line = 1; line < lines - 1; ++line)
        printf("%d: %d of %s\n", me, line, me % 2 ? "odd" : "even");
    if (me % 3)
        printf("%d: ends\n", me);
    else
        printf("%d: %s\n", me, "ends");
}
"#;
    let kernel = session.program(source, "")?.kernel("test")?;
    let lines = LINES as i32;
    session.run(&kernel, &[ITEMS / 10, 10], &[20, 2], &[&lines])
}

/// The text after the item of each line `item: rest`, by item.
fn by_item(printed: &str, items: usize) -> Result<Vec<Vec<&str>>> {
    let mut rests = vec![Vec::new(); items];
    for line in printed.lines() {
        let (item, rest) = line
            .split_once(": ")
            .with_context(|| format!("a line is {line:?}, expected `item: text`"))?;
        let item: usize = item
            .parse()
            .with_context(|| format!("the item of {line:?}"))?;
        rests
            .get_mut(item)
            .with_context(|| format!("{line:?} of {items} items"))?
            .push(rest);
    }
    Ok(rests)
}

/// Checks the order of each work-item's lines; the order of work-items is unspecified.
pub fn within_printed(printed: &str) -> Result<()> {
    for (item, got) in by_item(printed, ITEMS)?.into_iter().enumerate() {
        let kind = if item % 2 == 1 { "odd" } else { "even" };
        let mut expected = vec!["begins".to_owned()];
        expected.extend((1..LINES - 1).map(|line| format!("{line} of {kind}")));
        expected.push("ends".to_owned());
        ensure!(
            got == expected,
            "work-item {item} printed {got:?}, expected {expected:?}"
        );
    }
    Ok(())
}

const GROUPS: usize = 5;
const GROUP: usize = 17;

/// A group prints, passes a barrier, and prints again.
pub fn between_barriers(session: &Session) -> Result<()> {
    let source = r#"kernel void test(void)
{
    const int group = get_group_id(0), me = get_local_id(0);
    printf("%d: a %d\n", group, me);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == 3)
        printf("%d: b %d\n", group, me);
    barrier(CLK_LOCAL_MEM_FENCE);
    printf("%d: c %d\n", group, me);
}
"#;
    let kernel = session.program(source, "")?.kernel("test")?;
    session.run(&kernel, &[GROUPS * GROUP], &[GROUP], &[])
}

/// Checks the order of each group's parts between barriers.
pub fn between_barriers_printed(printed: &str) -> Result<()> {
    for (group, got) in by_item(printed, GROUPS)?.into_iter().enumerate() {
        ensure!(
            got.is_sorted_by_key(|line| line.as_bytes().first()),
            "group {group} printed {got:?}, expected all a, then b, then all c"
        );
        let mut got: Vec<String> = got.into_iter().map(str::to_owned).collect();
        got.sort_unstable();
        let mut expected = vec!["b 3".to_owned()];
        for item in 0..GROUP {
            expected.extend([format!("a {item}"), format!("c {item}")]);
        }
        expected.sort_unstable();
        equal(&format!("lines of group {group}"), &got, &expected)?;
    }
    Ok(())
}

const MANY: usize = 20_000;

/// The output is less than the megabyte that every device can buffer
/// (`CL_DEVICE_PRINTF_BUFFER_SIZE`).
pub fn many(session: &Session) -> Result<()> {
    let source = "kernel void test(void)\n{\n    const uint me = get_global_id(0);\n    \
                  printf(\"%u: %u\\n\", me, me * me % 1000);\n}\n";
    let kernel = session.program(source, "")?.kernel("test")?;
    session.run(&kernel, &[MANY], &[100], &[])
}

/// Checks for one complete line of each work-item.
pub fn many_printed(printed: &str) -> Result<()> {
    for (item, got) in by_item(printed, MANY)?.into_iter().enumerate() {
        let expected = (item * item) as u32 % 1000;
        ensure!(
            got == [expected.to_string()],
            "work-item {item} printed {got:?}, expected {expected} once"
        );
    }
    Ok(())
}

/// The host prints unbuffered after `clFinish` has returned.
pub fn finish(session: &Session) -> Result<()> {
    let source = "kernel void test(int number)\n{\n    printf(\"kernel %d\\n\", number);\n}\n";
    let kernel = session.program(source, "")?.kernel("test")?;
    for number in 0..4i32 {
        session.run(&kernel, &[1], &[1], &[&number])?;
        if number % 2 == 1 {
            session.queue.finish()?;
            // The platform may print to C's stream, which has a buffer.
            // SAFETY: null means all streams.
            unsafe { libc::fflush(std::ptr::null_mut()) };
            let mut stdout = std::io::stdout();
            stdout.write_all(format!("host {number}\n").as_bytes())?;
            stdout.flush()?;
        }
    }
    Ok(())
}

/// Checks the order of the host's and the kernels' lines.
pub fn finish_printed(printed: &str) -> Result<()> {
    let expected = [
        "kernel 0", "kernel 1", "host 1", "kernel 2", "kernel 3", "host 3",
    ];
    lines(printed, &expected.map(str::to_owned))
}
