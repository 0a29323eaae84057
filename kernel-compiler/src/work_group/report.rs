//! The decisions of formation as text, for dumps: the regions of a kernel, the barriers between them,
//! and how values live across these.

use super::cross_barrier_values::Slot;
use super::private_arrays::{PrivateArray, Storage};
use super::region::{Exit, Region, Regions};
use crate::ir::{Block, DataLayout, ModuleRef, Opcode, Value};
use std::fmt::{self, Display, Formatter};

/// A kernel split at its barriers, before its work-group function is written.
pub struct Report<'a> {
    pub module: ModuleRef,
    pub kernel: Value,
    pub regions: &'a Regions,
    /// Values recomputed in each region that uses them.
    pub rematerialised: &'a [Value],
    /// Slots of values kept across barriers.
    pub slots: &'a [Slot],
    pub private: &'a [PrivateArray],
}

/// Names blocks that have no name, so that text can refer to them.
pub fn name_blocks(kernel: Value) {
    for block in kernel.blocks() {
        if block.name().is_empty() {
            block.set_name("block");
        }
    }
}

impl Display for Report<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        name_blocks(self.kernel);
        write_regions(f, self.regions)?;
        writeln!(f)?;
        self.write_places(f)?;
        writeln!(f, "\nthe kernel split at its barriers\n")?;
        writeln!(f, "{}", self.kernel.text())
    }
}

impl Report<'_> {
    /// What lives across barriers, and how; where the rest of private memory is.
    pub fn write_places(&self, f: &mut dyn fmt::Write) -> fmt::Result {
        writeln!(f, "what lives across barriers")?;
        self.write_crossing(f)?;
        writeln!(f, "\nprivate memory within regions")?;
        self.write_private(f)
    }

    fn write_crossing(&self, f: &mut dyn fmt::Write) -> fmt::Result {
        let mut rows = Vec::new();
        for &value in self.rematerialised {
            rows.push(("recomputed", value.text()));
        }
        let layout = DataLayout::of_module(self.module);
        for slot in self.slots {
            let bytes = layout.size(slot.ty);
            let text = format!("%{} = {}", slot.alloca.name(), slot.ty.text());
            let kept = value_kept(slot).map(|value| format!(", for {value}"));
            let kept = kept.unwrap_or_default();
            let form = if slot.uniform {
                "per group"
            } else {
                "per item"
            };
            rows.push((form, format!("{text}, {bytes} bytes{kept}")));
        }
        for array in self.private {
            match array.storage {
                Storage::WorkItem => rows.push(("per item", array_text(array))),
                Storage::Shared => rows.push(("shared", array_text(array))),
                Storage::Stack | Storage::Group => {}
            }
        }
        write_rows(f, &rows)
    }

    fn write_private(&self, f: &mut dyn fmt::Write) -> fmt::Result {
        let storage = |array: &PrivateArray| match array.storage {
            Storage::Stack => Some(("stack", array_text(array))),
            Storage::Group => Some(("heap", array_text(array))),
            Storage::WorkItem | Storage::Shared => None,
        };
        let rows: Vec<_> = self.private.iter().filter_map(storage).collect();
        write_rows(f, &rows)
    }
}

/// The value that a slot holds, if only one is stored to it.
fn value_kept(slot: &Slot) -> Option<String> {
    let stored = |user: &Value| user.is(Opcode::LLVMStore) && user.operand(1) == slot.alloca;
    let stores: Vec<Value> = slot.alloca.users().into_iter().filter(stored).collect();
    match stores.as_slice() {
        [only] => Some(only.operand(0).text()),
        _ => None,
    }
}

fn array_text(array: &PrivateArray) -> String {
    format!("{}, {} bytes", array.alloca.text(), array.size)
}

fn write_rows(f: &mut dyn fmt::Write, rows: &[(&str, String)]) -> fmt::Result {
    if rows.is_empty() {
        return writeln!(f, "  nothing");
    }
    for (form, what) in rows {
        writeln!(f, "  {form:<12}{what}")?;
    }
    Ok(())
}

/// Writes each region: its blocks and its exits.
pub fn write_regions(f: &mut dyn fmt::Write, regions: &Regions) -> fmt::Result {
    for (number, region) in regions.regions.iter().enumerate() {
        let executions = if region.uniform {
            "once for the group"
        } else {
            "for each work-item"
        };
        writeln!(f, "region {number}, {executions}")?;
        let names: Vec<String> = region.blocks.iter().map(Block::text).collect();
        writeln!(f, "  starts at  {}", region.start.text())?;
        writeln!(f, "  blocks     {}", names.join(" "))?;
        write_exits(f, region, regions)?;
    }
    Ok(())
}

fn write_exits(f: &mut dyn fmt::Write, region: &Region, regions: &Regions) -> fmt::Result {
    for exit in &region.exits {
        let mut ends = Vec::new();
        for block in &region.blocks {
            for successor in block.successors() {
                if regions.exit_at(region, successor) == Some(*exit) && !ends.contains(&successor) {
                    ends.push(successor);
                }
            }
        }
        let ends: Vec<String> = ends.iter().map(Block::text).collect();
        let ends = match ends.as_slice() {
            [] => String::new(),
            ends => format!(" at {}", ends.join(" ")),
        };
        match exit {
            Exit::Region(next) | Exit::Pass(next) => {
                writeln!(f, "  then       region {next}{ends}")?;
            }
            Exit::Return => writeln!(f, "  then       return{ends}")?,
        }
    }
    if region.exits.is_empty() {
        writeln!(f, "  then       nothing: it never ends")?;
    }
    Ok(())
}
