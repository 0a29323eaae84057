//! Findings of red zones: something that is not checked wrote beyond the ends of a buffer.

use crate::check::{api, sink};
use crate::context::Context;
use findings::words::bytes;
use findings::{Finding, Kind};
use host_exec::red_zones::Damage;
use std::sync::Arc;

/// Reports what was overwritten around a buffer of `size` bytes that is released.
pub fn report_damage(context: &Arc<Context>, size: usize, damage: Damage) {
    let place = match damage {
        Damage::Before(distance) => format!("up to {} before the start", bytes(distance as u64)),
        Damage::After(distance) => format!("up to {} after the end", bytes(distance as u64)),
    };
    let message = format!(
        "memory {place} of a buffer of {} was overwritten before its release: by the host program, a \
         native kernel, or an access that is not checked",
        bytes(size as u64)
    );
    let sentences = sink::report(vec![Finding::new(Kind::RedZone, message)]);
    api::notify(Arc::clone(context), sentences);
}
