//! Native kernels.

use crate::call::{Returns, Run, Step};
use crate::callbacks::{self, Counter, NATIVE_BYTE};
use crate::commands::submission::Effect;
use crate::model::{Id, Kind};
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
        let buffers = self.memory_list(&wanted);
        for &buffer in &buffers {
            self.same_context(&issue, Some(buffer));
        }
        self.memory_places(count, address as usize, bytes.len());
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

    /// The arguments `num_mem_objects` and `mem_list`. Returns the valid buffers in the list.
    fn memory_list(&mut self, wanted: &[Id]) -> Vec<Id> {
        let mut list = Vec::new();
        let mut texts = Vec::new();
        let mut buffers = Vec::new();
        for &id in wanted {
            let before = self.faults();
            let (handle, text, id) =
                self.choose_handle(&[Kind::Buffer], Some(id), CL_INVALID_MEM_OBJECT);
            if handle == 0 {
                // NULL is valid: the function finds a null pointer in the block.
                self.forgive(before);
            }
            list.extend(handle.to_ne_bytes());
            texts.push(text);
            buffers.extend(id);
        }
        self.number("num_mem_objects", wanted.len());
        if wanted.is_empty() {
            self.null("mem_list");
        } else {
            self.input("mem_list", &list, &format!("[{}]", texts.join(", ")));
        }
        buffers
    }

    /// The argument `args_mem_loc`: the addresses in the block at which the platform stores
    /// pointers to the `count` buffers.
    fn memory_places(&mut self, count: usize, block: usize, block_bytes: usize) {
        let mut places: Vec<usize> = (0..count).map(|place| block + 8 * (2 + place)).collect();
        if self.wrong() && count > 0 {
            // Outside the block.
            places[0] = match self.random.below(4) {
                0 => 0,
                1 => block + block_bytes - 7,
                2 => block - 1,
                _ => self.garbage() as usize,
            };
            self.fault(CL_INVALID_VALUE);
        }
        if count == 0 {
            if self.wrong() {
                self.sizes("args_mem_loc", &[block]);
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
    }
}
