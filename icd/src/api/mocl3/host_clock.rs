//! `cl_mocl3_host_clock`: the host program's simulated clock, for co-simulators
//! (docs/co-simulation.md).

use crate::abi::entry_point::Call;
use crate::abi::function_table::call::{
    clGetEventEndMOCL3, clGetHostClockMOCL3, clGetLaunchCountsMOCL3, clSetHostClockMOCL3,
};
use crate::abi::handle;
use crate::api::errors::invalid_value;
use crate::api::platform;
use runtime::error::Result;
use runtime::event::Event;
use runtime::queue::shared_launches;
use runtime::time::co_simulation;

impl Call for clGetHostClockMOCL3 {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let node = platform::node(self.platform)?;
        if self.nanoseconds.is_null() {
            return invalid_value("nanoseconds is NULL");
        }
        self.nanoseconds.set(co_simulation::host_clock(node)?);
        Ok(())
    }
}

impl Call for clGetEventEndMOCL3 {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let event = handle::object::<Event>(self.event)?;
        if self.nanoseconds.is_null() {
            return invalid_value("nanoseconds is NULL");
        }
        self.nanoseconds.set(event.simulated_end()?);
        Ok(())
    }
}

impl Call for clSetHostClockMOCL3 {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let node = platform::node(self.platform)?;
        co_simulation::set_host_clock(node, self.nanoseconds)
    }
}

impl Call for clGetLaunchCountsMOCL3 {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        platform::node(self.platform)?;
        if self.executed.is_null() && self.shared.is_null() {
            return invalid_value("executed and shared are NULL");
        }
        let [executed, shared] = shared_launches::counts();
        for (place, count) in [(self.executed, executed), (self.shared, shared)] {
            if !place.is_null() {
                place.set(count);
            }
        }
        Ok(())
    }
}
