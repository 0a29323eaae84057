//! Objects that most scenarios use.

use crate::command;
use crate::world::{self, Platform};
use anyhow::{Result, ensure};
use cl_sys::*;
use harness::object::{Context, Event, Kernel, Memory, Object, Queue};

/// A context with queues, a kernel and a counter: the objects that most scenarios use.
pub struct Stage {
    pub context: Object<Context>,
    pub in_order: Object<Queue>,
    pub out_of_order: Object<Queue>,
    /// A kernel that adds its second argument to the word of its first.
    pub count: Object<Kernel>,
    pub counter: Object<Memory>,
}

impl Stage {
    pub fn new(platform: &Platform) -> Result<Self> {
        let context = world::context(&platform.devices)?;
        let device = platform.devices[0];
        let program = world::program(&context, crate::kernels::SOURCE)?;
        world::build(&program, "")?;
        let count = world::kernel(&program, "count")?;
        let counter = world::buffer(&context, 0, 1, Some(&[0]))?;
        command::set(&count, 0, &counter.get())?;
        command::set(&count, 1, &1u32)?;
        Ok(Self {
            in_order: world::queue(&context, device, 0)?,
            out_of_order: world::queue(&context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)?,
            context,
            count,
            counter,
        })
    }

    /// The two queues.
    pub fn queues(&self) -> [&Object<Queue>; 2] {
        [&self.in_order, &self.out_of_order]
    }

    /// Enqueues a kernel that adds one to the counter.
    pub fn add_one(
        &self,
        on: &Object<Queue>,
        before: command::Before<'_>,
    ) -> Result<Object<Event>> {
        command::launch(on, &self.count, 0..1, None, before)
    }

    pub fn user_event(&self) -> Result<Object<Event>> {
        command::user_event(self.context.get())
    }

    /// Checks that the commands have added `expected` to the counter.
    pub fn counted(&self, expected: u32) -> Result<()> {
        let words = command::read_now(&self.in_order, &self.counter, 1, &[])?;
        ensure!(
            words[0] == expected,
            "{} commands ran, not {expected}",
            words[0]
        );
        Ok(())
    }
}

/// Checks the event's status.
pub fn has_status(event: &Object<Event>, expected: cl_int) -> Result<()> {
    let status = command::status(event)?;
    ensure!(status == expected, "the status is {status}, not {expected}");
    Ok(())
}
