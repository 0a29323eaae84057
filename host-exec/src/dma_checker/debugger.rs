//! Pending transfers as debuggers show them.

use super::checker::{GROUP, PendingPlaces};
use super::pending::Pending;
use crate::debug_text;
use std::ffi::c_char;
use std::fmt::{self, Write};

/// For debuggers: a line for each transfer of the group that this thread runs which the group has not
/// waited for. They have been performed nevertheless. Null if the state cannot be read now.
// SAFETY: no other symbol has that name.
#[unsafe(no_mangle)]
pub extern "C" fn mocl3_debug_transfers() -> *const c_char {
    GROUP
        .try_with(|group| {
            let Ok(group) = group.try_borrow() else {
                return std::ptr::null();
            };
            debug_text::compose(|text| {
                group.pending().try_for_each(|pending| {
                    describe(text, pending, group.places())?;
                    text.write_char('\n')
                })
            })
        })
        .unwrap_or(std::ptr::null())
}

fn describe(
    text: &mut impl Write,
    pending: &Pending,
    places: Option<&PendingPlaces>,
) -> fmt::Result {
    let transfer = pending.transfer();
    let rows = transfer.rows;
    if rows > 1 {
        write!(text, "{rows} rows of ")?;
    }
    write!(
        text,
        "{} bytes from {:#x} to {:#x}",
        transfer.row_bytes,
        transfer.source.addr(),
        transfer.destination.addr()
    )?;
    let site = places.and_then(|places| places.sites.get(pending.site as usize));
    if let Some(place) = site.and_then(|site| site.place.as_ref()) {
        write!(text, ", started at {}:{}", place.file, place.line)?;
    }
    write!(text, ", event {}", pending.event())
}
