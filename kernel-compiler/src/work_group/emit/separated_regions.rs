//! The second copies of regions, for work-items that are separated. The executor chooses the region
//! to run (`host_exec::barrier`). These copies have no lanes, so that the result does not depend on how
//! the kernel was vectorised.

use super::emitter::{ARRIVAL_ALIGNMENT, Emitter, Separation};
use super::live_slots::LiveSlots;
use super::loops::LoopBlocks;
use super::work_item::LoopBody;
use crate::intrinsics::NEXT_ARRIVAL;
use crate::ir;
use crate::work_group::region::{Exit, Regions};
use host_exec::barrier::arrivals;

impl Emitter {
    /// Writes the second copies of the regions.
    pub fn separated_regions(&self, regions: &Regions, live: &LiveSlots) {
        let Some(separation) = &self.separation else {
            return;
        };
        let b = &self.builder;
        b.at_end(separation.dispatch);
        let next = self.ask_executor(NEXT_ARRIVAL, separation);
        let cases: Vec<_> = separation
            .headers
            .iter()
            .map(|(&number, header)| {
                let arrival = arrivals::running(number as u32);
                (b.i32().constant(arrival.into()), *header)
            })
            .collect();
        let end = self.target(Exit::Return);
        b.at_end(separation.dispatch);
        b.switch(next, end, &cases);
        for &number in separation.headers.keys() {
            self.separated_region(separation, number, regions, live);
        }
    }

    fn separated_region(
        &self,
        separation: &Separation,
        number: usize,
        regions: &Regions,
        live: &LiveSlots,
    ) {
        let region = &regions.regions[number];
        let name = format!("region{number}.separated");
        let block = |part: &str| self.function.append_block(&format!("{name}.{part}"));
        let blocks = LoopBlocks {
            header: separation.headers[&number],
            body: block("work_item"),
            done: block("done"),
            end: block("end"),
        };
        let b = &self.builder;
        b.at_end(blocks.header);
        let uniform_slots = self.load_uniform_slots(region, live);
        b.store(b.i32().constant(0), separation.is_done, ARRIVAL_ALIGNMENT);
        let ids = self.loops(&name, &blocks, None, false);
        let body = LoopBody {
            start: blocks.body,
            end: blocks.end,
            ids,
            access_group: ir::metadata_distinct(b.context),
            uniform_slots,
            arrived_at: Some(number),
        };
        self.work_item(region, regions, live, &body);
        b.at_end(blocks.done);
        b.branch(separation.dispatch);
    }
}
