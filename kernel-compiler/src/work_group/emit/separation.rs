//! Regions that work-items may leave at different exits, which OpenCL forbids. Each work-item then
//! stores where it has arrived. If all have arrived at one exit, the next region follows as usual.
//! Otherwise the group continues in second copies of the regions, which run the work-items that have
//! arrived at their beginning (`separated_regions`).

use super::emitter::{ARRIVAL_ALIGNMENT, Emitter, Separation};
use crate::intrinsics::{AGREED_ARRIVAL, is_collective};
use crate::ir::{self, Block, Type, Value};
use crate::work_group::region::{Exit, Region, Regions};
use host_exec::barrier::arrivals;
use llvm_sys::LLVMIntPredicate::LLVMIntEQ;
use std::collections::BTreeMap;

/// What a work-item stores as it leaves a region.
fn arrival(exit: Exit) -> u32 {
    match exit {
        Exit::Region(next) => arrivals::waiting_for(next as u32),
        Exit::Pass(next) => arrivals::running(next as u32),
        Exit::Return => arrivals::RETURNED,
    }
}

impl Emitter {
    /// Prepares for regions that separate work-items. `arrival` is a variable of each work-item.
    pub fn prepare_separation(&mut self, arrival: Value, regions: &Regions) {
        let mut headers = BTreeMap::new();
        let mut pending: Vec<usize> = Vec::new();
        for region in regions.regions.iter().filter(|region| region.separates) {
            pending.extend(region.exits.iter().filter_map(|exit| exit.next()));
        }
        while let Some(number) = pending.pop() {
            headers.entry(number).or_insert_with(|| {
                let exits = regions.regions[number].exits.iter();
                pending.extend(exits.filter_map(|exit| exit.next()));
                self.function
                    .append_block(&format!("region{number}.separated"))
            });
        }
        self.separation = Some(Separation {
            arrival,
            dispatch: self.function.append_block("separated"),
            headers,
            is_done: self.builder.alloca(self.builder.i32(), "is_done"),
        });
    }

    /// Branches from the end of a region that may separate work-items to the next one.
    pub fn leave_if_agreed(&self, region: &Region, done: Block) {
        let Some(separation) = &self.separation else {
            return;
        };
        let b = &self.builder;
        let mut cases = Vec::new();
        for exit in &region.exits {
            let target = self.target(*exit);
            cases.push((b.i32().constant(arrival(*exit).into()), target));
        }
        b.at_end(done);
        let agreed = self.ask_executor(AGREED_ARRIVAL, separation);
        b.switch(agreed, separation.dispatch, &cases);
    }

    /// Leaves out, by branches to `end`, work-items that have not arrived at the region of that
    /// number; `place` has a work-item's arrival. A collective operation is run by the first one;
    /// gives the block in which the others leave the region.
    pub fn leave_others_out(
        &self,
        region: &Region,
        number: usize,
        place: Value,
        end: Block,
    ) -> Option<Block> {
        let separation = self.separation.as_ref()?;
        let b = &self.builder;
        let arrived = b.load(b.i32(), place, ARRIVAL_ALIGNMENT);
        let here = b.i32().constant(arrivals::running(number as u32).into());
        let is_here = b.compare(LLVMIntEQ, arrived, here);
        let run = end.insert_before("arrived");
        b.branch_if(is_here, run, end);
        b.at_end(run);
        if !is_collective(region.start.instructions()[0]) {
            return None;
        }
        let [first, others] = ["first", "others"].map(|name| end.insert_before(name));
        let is_done = b.load(b.i32(), separation.is_done, ARRIVAL_ALIGNMENT);
        let is_first = b.compare(LLVMIntEQ, is_done, b.i32().constant(0));
        b.branch_if(is_first, first, others);
        b.at_end(first);
        b.store(b.i32().constant(1), separation.is_done, ARRIVAL_ALIGNMENT);
        Some(others)
    }

    /// Stores where a work-item has arrived as it leaves a region, at the builder's position.
    pub fn store_arrival(&self, exit: Exit, place: Value) -> Value {
        let b = &self.builder;
        let code = b.i32().constant(arrival(exit).into());
        b.store(code, place, ARRIVAL_ALIGNMENT)
    }

    /// Calls a function of the executor that gets the arrivals of the group's work-items.
    pub fn ask_executor(&self, name: &str, separation: &Separation) -> Value {
        let b = &self.builder;
        let sizes = &self.range.local_size;
        let row = b.multiply(sizes[0], sizes[1]).no_wrap();
        let items = b.multiply(row, sizes[2]).no_wrap();
        let number = self.per_item_of[&separation.arrival];
        let arguments = [self.context, self.per_item[number].array, items];
        let module = self.function.module();
        let function = ir::function(module, name).unwrap_or_else(|| {
            let types = arguments.map(Value::ty);
            let made = ir::add_function(module, name, Type::function(b.i32(), &types));
            for attribute in ["nounwind", "willreturn", "nofree", "nosync"] {
                made.add_attribute(attribute);
            }
            made
        });
        b.call(function, &arguments)
    }
}
