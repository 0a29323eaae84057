//! Launches of the vendor's library on clusters. A launch has one work-item, and its sizes are arguments; the
//! library divides its work among the arrays.

use crate::context::Context;
use crate::device::Device;
use crate::error::{Code, Error, Result};
use crate::kernel::built_in_operands::{Array, Operand, Operands};
use crate::kernel::launch_key::LaunchKey;
use crate::kernel::sharing::{self, Sharing};
use crate::memory::mem_object::MemObject;
use crate::memory::memory_access::MemoryAccesses;
use crate::memory::missing_results;
use crate::recording::recorder;
use crate::time::command_work::CommandWork;
use built_in_kernels::Access;
use device_sim::timing::pending_report::PendingReport;
use host_exec::address_check;
use std::fmt::{self, Display, Formatter};
use std::ptr::dangling_mut;
use std::sync::Arc;
use vendor_kernels::{RawOperand, VendorKernel};

/// A launch with everything that its execution needs.
pub(crate) struct PreparedVendorLaunch {
    pub kernel: &'static VendorKernel,
    pub(super) operands: Operands,
    pub context: Arc<Context>,
    pub device: Arc<Device>,
    /// Whether it is timed on the simulated machine.
    pub timed: bool,
    /// How it shares its time; none if it is executed in any case.
    pub sharing: Option<Arc<Sharing>>,
}

impl PreparedVendorLaunch {
    /// Its accesses to buffers, with the bytes that it uses of each.
    pub fn accesses(&self) -> MemoryAccesses {
        self.operands.accesses()
    }

    /// What its simulated time depends on; none if it has none.
    pub fn key(&self) -> Option<LaunchKey> {
        let key = || LaunchKey::vendor(self.kernel, self.device.arrays(), &self.operands);
        self.timed.then(key)
    }

    /// Computes the kernel.
    ///
    /// # Errors
    /// `OutOfResources`: the host program's memory of a buffer is not mapped, or the elements of a sparse
    /// matrix are none of it.
    pub fn run(self) -> Result<CommandWork> {
        let context = Arc::clone(&self.context);
        let sharing = self.sharing.as_deref();
        let report = match sharing::known_report(sharing) {
            Some(report) => {
                missing_results::note(&self.accesses());
                Some(report)
            }
            None => sharing::report(sharing, &context, || self.compute())?,
        };
        Ok(CommandWork {
            report,
            ..CommandWork::default()
        })
    }

    /// Computes the results; returns the report if the launch is timed.
    fn compute(&self) -> Result<Option<PendingReport>> {
        let failed = |error: &dyn Display| {
            let name = &self.kernel.declaration().name;
            Error::new(Code::OutOfResources, format!("kernel {name}: {error}"))
        };
        for array in self.operands.arrays() {
            if array.object.host_pointer().is_some() {
                let start = array.object.start().0;
                address_check::check(start, array.bytes).map_err(|error| failed(&error))?;
            }
        }
        let operands: Vec<RawOperand> = self.operands.0.iter().map(raw).collect();
        // SAFETY: the buffers have these bytes, are mapped, and alive while the operands are; the program is
        // responsible for other accesses to them.
        unsafe { self.kernel.compute(&operands) }.map_err(|error| failed(&error))?;
        for array in self.operands.arrays() {
            if let (Access::Write | Access::Update, MemObject::Buffer(buffer)) =
                (array.access, &array.object)
            {
                buffer.mark_defined(0, array.bytes);
            }
        }
        Ok(self.timed.then(|| self.report(&operands)))
    }

    fn report(&self, operands: &[RawOperand]) -> PendingReport {
        let arrays = self.device.arrays();
        let timed = self.device.timed();
        let kernel = self.kernel;
        let values = kernel.values(operands);
        let schedule = kernel.schedule(&timed.machine, arrays.count(), &values);
        let details = recorder::details();
        PendingReport::of(move || {
            Arc::new(schedule.report(&timed.machine, &timed.layout, arrays, details))
        })
    }
}

fn raw(operand: &Operand) -> RawOperand {
    match *operand {
        Operand::Array(Array {
            ref object, bytes, ..
        }) => RawOperand::Array {
            start: object.start().0,
            bytes,
        },
        Operand::Empty => RawOperand::Array {
            start: dangling_mut::<u128>().cast(),
            bytes: 0,
        },
        Operand::Size(size) => RawOperand::Size(size),
        Operand::Number(number) => RawOperand::Number(number),
    }
}

/// The kernel's name.
impl Display for PreparedVendorLaunch {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}`", self.kernel.declaration().name)
    }
}
