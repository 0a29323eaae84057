//! Native kernels.

use crate::call::{Returns, Run, Step};
use crate::callbacks::{self, Counter, NATIVE_BYTE};
use crate::commands::submission::Effect;
use crate::model::Kind;
use cl_sys::*;

impl Run {
    pub fn enqueue_native_kernel(&mut self) -> Step {
        self.begin("clEnqueueNativeKernel");
        let mut issue = self.issue();
        let counter = Counter::new();
        if self.wrong() {
            self.null("user_func");
            self.fault(CL_INVALID_VALUE);
        } else {
            self.argument("user_func", callbacks::native as *const () as u64, "count");
        }
        let count = self.random.below(3) as usize;
        let mut block: Vec<u64> = vec![counter.user_data(), count as u64];
        block.resize(2 + count, 0);
        let bytes: Vec<u8> = block.iter().flat_map(|word| word.to_ne_bytes()).collect();
        let address = self.input("args", &bytes, &format!("a block for {count} buffers"));
        self.number("cb_args", bytes.len());
        let mut wanted = Vec::new();
        for _ in 0..count {
            wanted.extend(self.pick_in(Kind::Buffer, issue.context));
        }
        if wanted.len() != count {
            return None;
        }
        let mut list = Vec::new();
        let mut texts = Vec::new();
        let mut buffers = Vec::new();
        for id in wanted {
            let before = self.faults();
            let (handle, text, id) =
                self.choose_handle(&[Kind::Buffer], Some(id), CL_INVALID_MEM_OBJECT);
            if handle == 0 {
                // That is a null pointer in the block: no mistake.
                self.forgive(before);
            }
            list.extend(handle.to_ne_bytes());
            texts.push(text);
            buffers.extend(id);
        }
        self.number("num_mem_objects", count);
        if count == 0 {
            self.null("mem_list");
        } else {
            self.input("mem_list", &list, &format!("[{}]", texts.join(", ")));
        }
        for &buffer in &buffers {
            self.same_context(&issue, Some(buffer));
        }
        let mut places: Vec<usize> = (0..count)
            .map(|place| address as usize + 8 * (2 + place))
            .collect();
        if self.wrong() && count > 0 {
            // Not inside the block.
            places[0] = match self.random.below(4) {
                0 => 0,
                1 => address as usize + bytes.len() - 7,
                2 => address as usize - 1,
                _ => self.garbage() as usize,
            };
            self.fault(CL_INVALID_VALUE);
        }
        if count == 0 {
            if self.wrong() {
                self.sizes("args_mem_loc", &[address as usize]);
                self.fault(CL_INVALID_VALUE);
            } else {
                self.null("args_mem_loc");
            }
        } else if self.wrong() {
            self.null("args_mem_loc");
            self.fault(CL_INVALID_VALUE);
        } else {
            let bytes: Vec<u8> = places
                .iter()
                .flat_map(|place| place.to_ne_bytes())
                .collect();
            self.input("args_mem_loc", &bytes, "their places");
        }
        self.waits_and_event(&mut issue);
        let (done, effect) = self.enqueue(&issue, Returns::Status, 0x11F2, &buffers)?;
        if done.succeeded && effect == Effect::Sure {
            self.callbacks.push((
                counter,
                1,
                format!("the native kernel of step {}", self.step()),
            ));
        }
        if effect != Effect::None {
            let sure = effect == Effect::Sure;
            for buffer in buffers {
                self.model
                    .write(buffer, 0, 1, sure.then_some(&[NATIVE_BYTE][..]));
            }
        }
        Some(())
    }
}
