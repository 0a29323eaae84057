//! The lines of memory outside the array that a vector access touches, and which lanes share them.

use super::addressing::space::Space;
use super::code::Code;
use super::memory_access::Access;
use crate::analysis::lane_step::lane_step;
use crate::ir::Value;

/// Bytes above which the size of an access does not count.
const MAX_ACCESS_BYTES: u64 = 1 << 20;

/// The lines of one vector access. The first lane's address is taken to be aligned to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutsideLines {
    /// Lines that all lanes touch together.
    pub all: u32,
    /// Adjacent lanes that share lines, a power of two: inactive ones cause no traffic if the
    /// others of their group are inactive, too.
    pub lanes_per_group: u32,
    /// Whether each lane requests lines of its own.
    pub is_gathered: bool,
}

/// The lines that a vector access touches; none for other instructions.
pub fn outside_lines(code: &Code<'_>, instruction: Value) -> Option<OutsideLines> {
    let access = Access::recognize(instruction)?;
    let data = access.data(instruction);
    if !code.is_of_lanes(data) || !matches!(code.space_of(&access, instruction), Space::Outside(_))
    {
        return None;
    }
    let line = code.params.line;
    let lanes = code.params.lanes.max(1);
    let bytes = stored_bytes(code, &access);
    let layout = code.register_layout_of(access.ty, true);
    let lane_bytes = layout.bits.div_ceil(8) * layout.registers;
    let (step, touched) = if access.pointer.ty().is_vector() {
        let step = lane_step(access.pointer, code.layout)
            .map_or(u64::MAX, i64::unsigned_abs)
            .min(line.into()) as u32;
        (step, (lanes * step).max(lane_bytes))
    } else {
        (bytes / lanes, bytes)
    };
    let is_gathered = access.pointer.ty().is_vector() && step >= line;
    Some(OutsideLines {
        all: if is_gathered {
            lanes * lane_bytes.div_ceil(line).max(1)
        } else {
            touched.div_ceil(line)
        },
        lanes_per_group: lanes_of_one_line(line, step).min(lanes),
        is_gathered,
    })
}

/// Counts the groups of lanes that share lines, where not all lanes run and not all share one.
pub fn count_groups_of_lanes(code: &mut Code<'_>) {
    for instruction in code.instructions.concat() {
        if let Some(lines) = outside_lines(code, instruction)
            && lines.lanes_per_group < code.params.lanes
        {
            code.count_active_groups(instruction, lines.lanes_per_group);
        }
    }
}

/// Bytes that an access loads or stores.
pub fn stored_bytes(code: &Code<'_>, access: &Access) -> u32 {
    code.layout.stored(access.ty).min(MAX_ACCESS_BYTES) as u32
}

/// The largest power of two of adjacent lanes, `step` bytes apart, that lie within a line.
fn lanes_of_one_line(line: u32, step: u32) -> u32 {
    match line.checked_div(step) {
        None => u32::MAX,
        Some(lanes) => 1 << lanes.max(1).ilog2(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_lanes_lie_within_a_line() {
        let of = |step| lanes_of_one_line(64, step);
        assert_eq!(
            [1, 4, 8, 12, 16, 48, 64, 128].map(of),
            [64, 16, 8, 4, 4, 1, 1, 1]
        );
        assert_eq!(of(0), u32::MAX);
    }
}
