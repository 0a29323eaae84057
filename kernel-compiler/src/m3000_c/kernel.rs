//! What surrounds the work-group function: the file's beginning, and the kernel that hthreads starts.

use super::constants::identifier;
use super::unsupported::Unsupported;
use crate::kernel::interface::{ArgumentKind, KernelArgument, KernelInterface};
use crate::kernel::specialisation::Specialisation;
use crate::work_group::Resources;
use std::fmt::Write;

/// Words that hthreads passes to a kernel.
const WORDS: usize = 30;

/// Bytes of a word.
const WORD: usize = 8;

/// Types, before those of vectors.
pub const PRELUDE: &str = r#"#include <compiler/m3000.h>
#include "hthread_device.h"

#pragma STDC FP_CONTRACT OFF

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;
typedef unsigned __int128 u128;
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long i64;
typedef __int128 i128;
typedef _Float16 f16;
typedef float f32;
typedef double f64;
typedef char *pointer;
"#;

/// Macros and functions that the work-group function uses. Functions begin with `mocl3_`, since kernels may have any name.
pub const RUNTIME: &str = r#"/* The bits of a value of one type as another. */
#define BITS_OF(to, from, value, bytes) \
    ({ from source_ = (value); to result_; __builtin_memcpy(&result_, &source_, bytes); result_; })
#define BITS(to, value) BITS_OF(to, __typeof__(value), value, sizeof(to))

/* A floating-point number, or a vector of them, as integers. OpenCL leaves open what becomes of numbers that the type
 * of integers does not have, which definitions before this file can decide. */
#ifndef TO_INTEGER
#define TO_INTEGER(to, value) ((to)(value))
#define TO_INTEGERS(to, value) __builtin_convertvector(value, to)
#endif

/* The index space of a launch. Dimensions that are not used have size 1 and offset 0. */
struct nd_range {
    u64 work_dimensions;
    u64 global_offset[3];
    u64 global_size[3];
    u64 local_size[3];
    u64 group_count[3];
};

/* What the work-group function reads of its group. */
struct group {
    struct nd_range nd_range;
    u64 group_id[3];
    pointer local_memory;
    pointer private_memory;
};

/* An asynchronous copy of rows, which ends before the function does. DMA needs whole words. */
__attribute__((unused)) static pointer mocl3_transfer(pointer to, u64 to_stride, pointer from,
                                                      u64 from_stride, u64 bytes, u64 rows, pointer event)
{
    u64 parts = (u64)to | to_stride | (u64)from | from_stride | bytes;
    if (bytes != 0 && rows != 0 && parts % 8 == 0 && bytes <= 0x7fffffff) {
        dma_wait(dma_p2p(from, rows, bytes, (int)(from_stride - bytes), to, rows, bytes,
                         (int)(to_stride - bytes), 0, 0));
    } else {
        for (u64 row = 0; row < rows; row++)
            __builtin_memcpy(to + row * to_stride, from + row * from_stride, bytes);
    }
    return event;
}

/* A buffer in SM, or in AM if SM has no room; the address is a multiple of 128. */
static pointer mocl3_on_chip(u64 bytes, void **buffer, int *in_am)
{
    *buffer = bytes + 128 <= 0xffffffff ? scalar_malloc((u32)(bytes + 128)) : 0;
    *in_am = *buffer == 0;
    if (*in_am)
        *buffer = bytes + 128 <= 0xffffffff ? vector_malloc((u32)(bytes + 128)) : 0;
    return (pointer)(((u64)*buffer + 127) / 128 * 128);
}

static void mocl3_free_on_chip(void *buffer, int in_am)
{
    if (buffer != 0 && in_am)
        vector_free(buffer);
    else if (buffer != 0)
        scalar_free(buffer);
}

"#;

/// Whether hthreads can pass the arguments.
pub fn check(interface: &KernelInterface) -> Result<(), Unsupported> {
    let images = [ArgumentKind::Image, ArgumentKind::Sampler];
    let mut arguments = interface.arguments.iter();
    if let Some(argument) = arguments.find(|argument| images.contains(&argument.kind)) {
        return Err(Unsupported::Image(argument.name.clone()));
    }
    match interface.arguments.len() {
        count if count >= WORDS => Err(Unsupported::Arguments(count)),
        _ => Ok(()),
    }
}

/// Whether an argument is passed in memory, since it is larger than a word.
fn in_memory(argument: &KernelArgument) -> bool {
    argument.kind == ArgumentKind::Value && argument.size > WORD
}

fn meaning(argument: &KernelArgument) -> &'static str {
    match argument.kind {
        ArgumentKind::LocalPointer => "bytes of local memory",
        ArgumentKind::Value if in_memory(argument) => "the address of its value",
        ArgumentKind::Value => "its value, in the low bits",
        _ => "the buffer's address",
    }
}

/// The comment at the beginning of the file.
pub fn comment(interface: &KernelInterface, specialisation: &Specialisation) -> String {
    let mut text = format!(
        "/* Kernel {} of an OpenCL program, as C for m3cc.\n *\n",
        interface.name
    );
    // Writing to a string does not fail.
    let _ = match specialisation.local_size {
        Some([x, y, z]) => writeln!(text, " * Work-groups have {x} x {y} x {z} work-items."),
        None => writeln!(text, " * Work-groups have any size."),
    };
    text += " * The words that hthread_group_create passes are, in this order:\n";
    text += " *   nd_range: the address of the index space, struct nd_range, in hthread_malloc's memory\n";
    for (number, argument) in interface.arguments.iter().enumerate() {
        let (name, ty) = (&argument.name, &argument.type_name);
        let ty = ty.replace("*/", "* /");
        let _ = writeln!(
            text,
            " *   argument{number} ({ty} {name}): {}",
            meaning(argument)
        );
    }
    text +=
        " * Thread i runs the work-groups whose numbers are i modulo the number of threads. */\n";
    text
}

/// The kernel.
pub fn kernel(
    interface: &KernelInterface,
    specialisation: &Specialisation,
    resources: Resources,
) -> String {
    let mut parameters = "const struct nd_range *nd_range".to_owned();
    let mut block = String::new();
    for (number, argument) in interface.arguments.iter().enumerate() {
        let _ = write!(parameters, ", u64 argument{number}");
        let (offset, size) = (argument.offset, argument.size);
        let _ = match argument.kind {
            ArgumentKind::LocalPointer => writeln!(
                block,
                "    local = (local + 127) / 128 * 128;\n    \
                 __builtin_memcpy(arguments + {offset}, &local, 8);\n    \
                 local += argument{number};"
            ),
            _ if in_memory(argument) => writeln!(
                block,
                "    __builtin_memcpy(arguments + {offset}, (const void *)argument{number}, {size});"
            ),
            _ => writeln!(
                block,
                "    __builtin_memcpy(arguments + {offset}, &argument{number}, {size});"
            ),
        };
    }
    let fixed_size = specialisation
        .local_size
        .map_or(String::new(), |[x, y, z]| {
            format!(
                "    if (size[0] != {x} || size[1] != {y} || size[2] != {z}) {{\n        \
             hthread_printf(\"{name}: work-groups have {x} x {y} x {z} work-items\\n\");\n        \
             return;\n    }}\n",
                name = interface.name
            )
        });
    TEMPLATE
        .replace("@name@", &identifier(&interface.name))
        .replace("@parameters@", &parameters)
        .replace("@block@", &block)
        .replace(
            "@block_size@",
            &interface.argument_block_size.max(8).to_string(),
        )
        .replace("@fixed_size@", &fixed_size)
        .replace("@local@", &resources.local_memory.to_string())
        .replace("@group_private@", &resources.group_private.to_string())
        .replace("@item_private@", &resources.work_item_private.to_string())
}

/// The kernel, with the parts in `@` left out.
const TEMPLATE: &str = r#"__global__ void @name@(@parameters@)
{
    u8 arguments[@block_size@] __attribute__((aligned(128)));
    struct group group = { .nd_range = *nd_range };
    const u64 *size = group.nd_range.local_size;
    const u64 *count = group.nd_range.group_count;
    u64 local = @local@;
    u64 private = @group_private@ + @item_private@ * (size[0] * size[1] * size[2]);
@fixed_size@@block@    void *local_buffer, *private_buffer;
    int local_in_am, private_in_am;
    group.local_memory = mocl3_on_chip(local, &local_buffer, &local_in_am);
    group.private_memory = mocl3_on_chip(private, &private_buffer, &private_in_am);
    if (local_buffer == 0 || private_buffer == 0) {
        hthread_printf("@name@: a work-group needs %lu bytes of local and %lu of private memory\n",
                       local, private);
        __builtin_trap();
    }
    u64 groups = count[0] * count[1] * count[2];
    u64 threads = (u64)get_group_size(), thread = (u64)get_thread_id();
    for (u64 number = thread; number < groups; number += threads) {
        group.group_id[0] = number % count[0];
        group.group_id[1] = number / count[0] % count[1];
        group.group_id[2] = number / count[0] / count[1];
        mocl3_work_group((pointer)arguments, (pointer)&group);
    }
    mocl3_free_on_chip(private_buffer, private_in_am);
    mocl3_free_on_chip(local_buffer, local_in_am);
}
"#;
