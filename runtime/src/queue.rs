//! Command queues: one worker each; commands become ready when what they wait for
//! has completed.

use crate::client::ClientSlot;
use crate::command::Command;
use crate::context::Context;
use crate::device::Device;
use crate::error::Result;
use crate::event::Event;
use std::sync::Arc;

bitflags::bitflags! {
    /// `cl_command_queue_properties`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[allow(missing_docs, reason = "named as in the specification")]
    pub struct QueueProperties: u64 {
        const OUT_OF_ORDER_EXEC_MODE_ENABLE = 1;
        const PROFILING_ENABLE = 2;
    }
}

/// A command queue.
pub struct CommandQueue {
    client: ClientSlot,
}

impl CommandQueue {
    /// A queue on a device of the context.
    pub fn new(
        context: &Arc<Context>,
        device: &Arc<Device>,
        properties: QueueProperties,
    ) -> Result<Arc<Self>> {
        let _ = (context, device, properties);
        todo!()
    }
    /// Its context.
    pub fn context(&self) -> &Arc<Context> {
        todo!()
    }
    /// Its device.
    pub fn device(&self) -> &Arc<Device> {
        todo!()
    }
    /// Its properties.
    pub fn properties(&self) -> QueueProperties {
        todo!()
    }
    /// Puts a command into the queue and returns at once.
    ///
    /// # Errors
    /// `InvalidContext` if queue, command's objects and wait list are not of one context;
    /// what checking the command finds.
    pub fn enqueue(
        self: &Arc<Self>,
        command: Command,
        wait_list: &[Arc<Event>],
    ) -> Result<Arc<Event>> {
        let _ = (command, wait_list);
        todo!()
    }
    /// Hands all commands to the device.
    pub fn flush(self: &Arc<Self>) -> Result<()> {
        todo!()
    }
    /// Waits until all commands have ended.
    pub fn finish(self: &Arc<Self>) -> Result<()> {
        todo!()
    }
}

impl crate::client::ClientObject for CommandQueue {
    fn client_slot(&self) -> &ClientSlot {
        &self.client
    }
}
