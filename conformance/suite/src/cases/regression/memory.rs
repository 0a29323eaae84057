//! Memory of all kinds: addresses of local variables, atomic functions, buffers and sub-buffers on
//! several devices and of all sizes.

use crate::compare::equal;
use anyhow::{Context, Result, ensure};
use harness::session::{Argument, Session};

/// Three local arrays of odd sizes; a table of addresses within them, some of which are
/// constant expressions of several steps.
pub fn local_addresses(session: &Session) -> Result<()> {
    let program = session.program(
        r"kernel void addresses(global ulong *out)
{
    local char chars[3];
    local int ints[3];
    local float floats[3];
    if (get_local_id(0) == 0) {
        local int *const ends[] = {ints, ints + 2, &ints[1]};
        for (int i = 0; i < 3; ++i)
            *ends[i] = 10 + i, chars[i] = 'a' + i, floats[i] = i * 0.5f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    global ulong *mine = out + get_global_id(0) * 8;
    mine[0] = (ulong)chars;
    mine[1] = (ulong)ints;
    mine[2] = (ulong)floats;
    mine[3] = (ulong)((local char *)(ints + 1) + 4) - (ulong)ints;
    mine[4] = (ulong)&floats[2] - (ulong)floats;
    mine[5] = *(local int *)((ulong)ints + 8);
    mine[6] = chars[0] + 1000 * chars[2];
    mine[7] = ints[1] + 1000 * (int)(floats[2] * 2);
}
",
        "",
    )?;
    let kernel = program.kernel("addresses")?;
    for (items, local) in [(1, 1), (12, 4), (64, 32)] {
        let out = session.zeros::<[u64; 8]>(items)?;
        session.run(&kernel, &[items], &[local], &[&out])?;
        let got = session.read(&out)?;
        for group in got.chunks(local) {
            let [chars, ints, floats] = [group[0][0], group[0][1], group[0][2]];
            let expected = [chars, ints, floats, 8, 8, 11, 97 + 99_000, 12 + 2_000];
            equal("addresses and contents", group, &vec![expected; local])?;
            ensure!(
                ints % 4 == 0 && floats % 4 == 0,
                "misaligned: ints at {ints:#x}, floats at {floats:#x}"
            );
            let mut arrays = [(chars, 3), (ints, 12), (floats, 12)];
            arrays.sort_unstable();
            ensure!(
                arrays.windows(2).all(|two| two[0].0 + two[0].1 <= two[1].0),
                "arrays overlap: {arrays:x?} (address, size)"
            );
        }
    }
    Ok(())
}

/// 4096 work-items update the same words. The sums and the returned values show lost updates.
pub fn global_atomics(session: &Session) -> Result<()> {
    const ITEMS: usize = 4096;
    let program = session.program(
        r"kernel void change(global int *words, global uint *ticket_of)
{
    const int here = get_global_id(0);
    atomic_add(&words[0], 1);
    atomic_sub(&words[1], 1);
    atomic_or(&words[2], 1 << (here & 31));
    atomic_and(&words[3], ~(1 << (here & 31)));
    atomic_xor(&words[4], here);
    atomic_min(&words[5], -here);
    atomic_max(&words[6], here);
    atomic_dec(&words[7]);
    ticket_of[here] = atomic_inc((global uint *)&words[8]);
    int seen = words[9];
    for (;;) {
        const int before = atomic_cmpxchg(&words[9], seen, seen + 3);
        if (before == seen)
            break;
        seen = before;
    }
    // Each work-item takes the number of another one; every number is either taken or still there.
    atomic_add(&words[10], atomic_xchg(&words[11], here));
}
",
        "",
    )?;
    let kernel = program.kernel("change")?;
    for local in [&[][..], &[1], &[64], &[256]] {
        let words = [0, ITEMS as i32, 0, -1, 7, 0, 0, 5, 0, 1, 0, 0];
        let there = session.buffer(&words)?;
        let tickets = session.buffer(&[u32::MAX; ITEMS])?;
        session.run(&kernel, &[ITEMS], local, &[&there, &tickets])?;
        let mut got = session.read(&there)?;
        let put: i32 = (0..ITEMS as i32).sum();
        got[10] += got[11];
        got[11] = 0;
        let last = ITEMS as i32 - 1;
        let expected = [
            ITEMS as i32,
            0,
            -1,
            0,
            // The exclusive or of 0 to 4095 is 0.
            7,
            -last,
            last,
            5 - ITEMS as i32,
            ITEMS as i32,
            1 + 3 * ITEMS as i32,
            put,
            0,
        ];
        let what = format!("local size {local:?}");
        equal(
            &format!("{what}: after add, sub, or, and, xor, min, max, dec, inc, cmpxchg, xchg"),
            &got,
            &expected,
        )?;
        let mut tickets = session.read(&tickets)?;
        tickets.sort_unstable();
        let expected: Vec<u32> = (0..ITEMS as u32).collect();
        equal(
            &format!("{what}: what atomic_inc returned, sorted"),
            &tickets,
            &expected,
        )?;
    }
    Ok(())
}

/// In a context of all devices, a buffer with contents and its sub-buffer are released in both
/// orders, unused and after kernels on two devices.
pub fn released_before_part(session: &Session) -> Result<()> {
    let session = session.on_all_devices()?;
    let program = session.program(
        "kernel void add(global uint *numbers, uint what) { numbers[get_global_id(0)] += what; }\n",
        "",
    )?;
    let kernel = program.kernel("add")?;
    let queues = [session.queue_on(0, 0)?, session.queue_on(1, 0)?];
    // The alignment is in bits; the same number of bytes is a multiple of it.
    let aligned = session.device.mem_base_addr_align()? as usize;
    for used in [false, true] {
        for buffer_first in [true, false] {
            let buffer = session.buffer(&vec![1u32; 2 * aligned])?;
            let part = buffer.part(aligned, aligned)?;
            if used {
                for (queue, what) in queues.iter().zip([10u32, 100]) {
                    let arguments: [&dyn Argument; 2] = [&part, &what];
                    let sizes = [&[][..], &[aligned], &[]];
                    session
                        .enqueue(queue, &kernel, sizes, &arguments, &[])?
                        .wait()?;
                }
            }
            let expected = vec![if used { 111 } else { 1 }; aligned];
            if buffer_first {
                drop(buffer);
                equal("the part alone", &session.read(&part)?, &expected)?;
            } else {
                drop(part);
                let mut whole = session.read(&buffer)?;
                equal("behind", &whole.split_off(aligned), &expected)?;
                equal("before", &whole, &vec![1; aligned])?;
            }
        }
    }
    Ok(())
}

/// Sizes from 32 MiB on, each twice the one before, up to the largest; the largest as well.
/// Of each the last part is written by a kernel: a small part of a buffer takes memory, if
/// the platform wants it so, for itself alone.
pub fn large_buffers(session: &Session) -> Result<()> {
    let program = session.program(
        "kernel void fill(global uint *part, uint mark)\n\
         {\n    part[get_global_id(0)] = get_global_id(0) + mark;\n}\n",
        "",
    )?;
    let kernel = program.kernel("fill")?;
    let largest = session.device.max_mem_alloc_size()? as usize;
    let aligned = session.device.mem_base_addr_align()? as usize;
    let sizes = (25..usize::BITS - 1)
        .map(|power| 1 << power)
        .take_while(|&bytes| bytes < largest);
    // The last sub-buffer has an aligned origin.
    for bytes in sizes.chain([largest / (4 * aligned) * 4 * aligned]) {
        let elements = bytes / 4;
        let what = format!("a buffer of {bytes} bytes, of at most {largest}");
        let buffer = session
            .unset::<u32>(elements)
            .with_context(|| what.clone())?;
        // A sub-buffer at the start, and one of the last elements.
        let mut parts = Vec::new();
        for (first, mark) in [(0, 9u32), (elements - aligned, 70_000)] {
            let part = buffer.part(first, aligned).with_context(|| what.clone())?;
            session
                .run(&kernel, &[aligned], &[], &[&part, &mark])
                .with_context(|| what.clone())?;
            parts.push((part, first, mark));
        }
        // Neither sub-buffer may have the other's contents.
        for (part, first, mark) in parts {
            let expected: Vec<u32> = (mark..aligned as u32 + mark).collect();
            let got = session.read(&part).with_context(|| what.clone())?;
            equal(&format!("{what}, from {first}"), &got, &expected)?;
        }
    }
    Ok(())
}
