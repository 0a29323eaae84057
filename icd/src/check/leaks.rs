//! Objects that the host program has not released when the process ends.

use super::context_of;
use crate::abi::handle::{self, Shared};
use host_exec::process_lifecycle;
use runtime::check::api;
use runtime::kernel::Kernel;
use runtime::memory::buffer::Buffer;
use runtime::memory::image::Image;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Objects of a kind that are named in a message.
const NAMED: usize = 4;

/// The size or name of an object.
fn label(object: &Shared) -> Option<String> {
    if let Some(buffer) = object.downcast_ref::<Buffer>() {
        return Some(format!("{} bytes", buffer.size()));
    }
    if let Some(image) = object.downcast_ref::<Image>() {
        return Some(format!("{} x {}", image.width(), image.height()));
    }
    let kernel = object.downcast_ref::<Kernel>()?;
    Some(format!("`{}`", kernel.interface().name))
}

/// Labels of objects by the name of their kind.
type Kinds = BTreeMap<&'static str, Vec<Option<String>>>;

/// Such as `1 context, 2 buffers (64 bytes, 256 bytes)`.
fn list(kinds: &mut Kinds) -> String {
    let described = kinds.iter_mut().map(|(kind, labels)| {
        let number = labels.len();
        let plural = if number == 1 { "" } else { "s" };
        labels.sort();
        let mut names: Vec<&str> = labels.iter().flatten().map(String::as_str).collect();
        if names.len() > NAMED {
            names.truncate(NAMED);
            names.push("...");
        }
        match names.as_slice() {
            [] => format!("{number} {kind}{plural}"),
            names => format!("{number} {kind}{plural} ({})", names.join(", ")),
        }
    });
    described.collect::<Vec<_>>().join(", ")
}

/// Reports what is left, the objects of a context together. Children of `fork` have the handles of
/// their parent, which are not theirs to release.
fn report() {
    if process_lifecycle::forked() {
        return;
    }
    let mut contexts: BTreeMap<usize, Kinds> = BTreeMap::new();
    handle::for_each_held(|kind, object| {
        let context = context_of(object).map_or(0, |context| Arc::as_ptr(&context).addr());
        let kinds = contexts.entry(context).or_default();
        kinds.entry(kind).or_default().push(label(object));
    });
    let messages = contexts.values_mut().map(|kinds| {
        let objects = list(kinds);
        format!("not released when the program ended: {objects}")
    });
    api::report_leaks(messages.collect());
}

/// At the end of the process, after all `atexit` handlers and the host program's destructors.
extern "C" fn at_end() {
    if api::is_on() {
        report();
    }
}

#[used]
#[unsafe(link_section = ".fini_array")]
static AT_END: extern "C" fn() = at_end;

#[cfg(test)]
mod tests {
    use super::{Kinds, list};

    #[test]
    fn a_list_has_numbers_and_the_first_labels() {
        let bytes = |sizes: [u32; 5]| sizes.map(|size| Some(format!("{size} bytes"))).to_vec();
        let mut kinds = Kinds::new();
        kinds.insert("context", vec![None]);
        kinds.insert("buffer", bytes([1, 2, 3, 4, 5]));
        kinds.insert("image", vec![Some("4 x 2".into())]);
        assert_eq!(
            list(&mut kinds),
            "5 buffers (1 bytes, 2 bytes, 3 bytes, 4 bytes, ...), 1 context, 1 image (4 x 2)"
        );
    }
}
