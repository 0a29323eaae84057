//! Findings of commands and kernels that access a memory object while a part of it is mapped (OpenCL
//! 1.2, section 5.4.2.1).

use crate::check::description::{described, name_and_size};
use crate::check::{api, sink};
use crate::context::Context;
use findings::words::bytes;
use findings::{Finding, Kind};
use host_exec::memory_checker::access_table::{CheckedObject, Space};
use std::ops::Range;
use std::sync::Arc;

/// An access to an object that is mapped.
pub struct MappedAccess {
    /// It writes.
    pub writes: bool,
    /// The mapped bytes of the object.
    pub mapped: Range<usize>,
    /// They are mapped for writing.
    pub for_writing: bool,
}

impl MappedAccess {
    fn verb(&self) -> &'static str {
        if self.writes { "writes" } else { "reads" }
    }

    /// What is mapped, in words.
    fn part(&self) -> String {
        let purpose = if self.for_writing {
            "writing"
        } else {
            "reading"
        };
        let Range { start, end } = self.mapped;
        format!(
            "of which bytes {start} to {} are mapped for {purpose}",
            end - 1
        )
    }
}

/// Reports the access of a command, which a function of the API has enqueued, to `what`.
pub fn of_command(
    context: &Arc<Context>,
    function: &str,
    what: &str,
    size: usize,
    access: &MappedAccess,
) {
    let (verb, size, part) = (access.verb(), bytes(size as u64), access.part());
    let message = format!("{function} {verb} {what} of {size}, {part}");
    report(
        context,
        Finding {
            function: function.to_owned(),
            ..Finding::new(Kind::Mapped, message)
        },
    );
}

/// Reports the access of a kernel to its argument of this number and name.
pub fn of_kernel(
    context: &Arc<Context>,
    kernel: &str,
    (index, name): (usize, &str),
    size: usize,
    access: &MappedAccess,
) {
    let argument = CheckedObject::Argument {
        index,
        name: name.to_owned(),
        space: Space::Global,
        is_const: false,
    };
    let object = described(&argument, size as u64);
    let (verb, part) = (access.verb(), access.part());
    let message = format!("the kernel {verb} {}, {part}", name_and_size(&object));
    report(
        context,
        Finding {
            kernel: kernel.to_owned(),
            object: Some(object),
            ..Finding::new(Kind::Mapped, message)
        },
    );
}

fn report(context: &Arc<Context>, finding: Finding) {
    let sentences = sink::report(vec![finding]);
    api::notify(Arc::clone(context), sentences);
}
