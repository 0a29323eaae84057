//! An opened cluster: memory, and kernels run by its resident thread group.

use crate::error::ExecError;
use crate::execute::{self, Launch};
use crate::printf_buffer;
use crate::scratchpad::NoStorage;
use crate::storage::Storage;
use device_sim::cluster::Cluster;
use device_sim::machine::CodeStackLayout;
use device_sim::machine::Machine;
use device_sim::memory::Reservation;
use device_sim::timing::launch_report::LaunchReport;
use device_sim::timing::recorder::Recorder;
use device_sim::timing::timed_kernel::TimedKernel;
use std::sync::Arc;

/// An opened cluster (`hthread_dev_open`). Its threads are resident: started with the
/// device, one on each array, and given kernels one after another, which is the cheapest
/// way to launch there is (MOCL3 paper: up to half of firing the cores anew). A launch
/// names the arrays whose threads are its group.
pub struct ClusterExecutor {
    cluster: Cluster,
}

/// Memory of a device (`hthread_malloc`); freed when dropped.
#[derive(Debug)]
pub struct ClusterMemory {
    storage: Storage,
    _reservation: Reservation,
}

impl ClusterMemory {
    /// First byte.
    pub fn start(&self) -> *mut u8 {
        self.storage.start()
    }
}

impl ClusterExecutor {
    /// Opens cluster `number` of the machine.
    ///
    /// # Errors
    /// `NoSuchCluster`.
    pub fn open(machine: &Arc<Machine>, number: usize) -> Result<Self, ExecError> {
        let count = machine.clusters.count.value;
        if number as u64 >= count {
            return Err(ExecError::NoSuchCluster { number, count });
        }
        Ok(Self {
            cluster: Cluster::new(machine, number),
        })
    }

    /// The cluster.
    pub fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// Memory of `bytes`, zeroed, aligned to the machine's base alignment
    /// (`hthread_malloc`).
    ///
    /// # Errors
    /// `OutOfMemory`, `NoStorage`.
    pub fn malloc(&self, bytes: u64) -> Result<ClusterMemory, ExecError> {
        let reservation = self.reserve(bytes)?;
        let alignment = self.cluster.machine().open_cl.base_alignment.value as usize;
        let storage = Storage::new(bytes as usize, alignment).ok_or(NoStorage(bytes))?;
        Ok(ClusterMemory {
            storage,
            _reservation: reservation,
        })
    }

    /// Takes capacity for what lies elsewhere: in the host program's memory, or in
    /// another cluster's.
    ///
    /// # Errors
    /// `OutOfMemory`.
    pub fn reserve(&self, bytes: u64) -> Result<Reservation, ExecError> {
        Ok(self.cluster.ddr().reserve(bytes)?)
    }

    /// Runs a kernel on the threads of the launch's arrays and waits for it (`hthread_run`,
    /// `hthread_group_wait`). What it printed (`hthread_printf`) has then been written.
    ///
    /// # Errors
    /// `NoStorage`.
    ///
    /// # Safety
    /// As `host_exec::execute::execute`.
    pub unsafe fn run(&self, launch: &Launch<'_>) -> Result<(), ExecError> {
        // SAFETY: as the caller promises.
        let outcome = unsafe { execute::execute(launch) };
        printf_buffer::flush();
        Ok(outcome?)
    }

    /// As `run`, for timed code; tells what it was like on the machine,
    /// with a timeline if that is wanted.
    ///
    /// # Errors
    /// `NoStorage`.
    ///
    /// # Safety
    /// As `host_exec::execute::execute`.
    pub unsafe fn run_timed(
        &self,
        launch: &Launch<'_>,
        kernel: &Arc<TimedKernel>,
        timeline: bool,
    ) -> Result<LaunchReport, ExecError> {
        let groups = launch.nd_range.groups();
        let recorder = Recorder::new(kernel, launch.arrays, groups);
        let launch = Launch {
            recorder: Some(&recorder),
            ..*launch
        };
        // SAFETY: as the caller promises.
        unsafe { self.run(&launch) }?;
        let (record, counts) = recorder.finish();
        let machine = self.cluster.machine();
        let layout = CodeStackLayout::from_environment(&machine.layout);
        let report = LaunchReport::new(kernel.cost(), &record, &counts);
        Ok(LaunchReport {
            timing: kernel.timing(machine, &layout, record, timeline),
            ..report
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_devices_as_clusters() {
        let machine = Arc::new(Machine::mt3000());
        assert!(ClusterExecutor::open(&machine, 3).is_ok());
        let error = ClusterExecutor::open(&machine, 4).err().unwrap();
        assert!(matches!(
            error,
            ExecError::NoSuchCluster {
                number: 4,
                count: 4
            }
        ));
    }

    #[test]
    fn memory_counts_until_it_is_freed() {
        let device = ClusterExecutor::open(&Arc::new(Machine::mt3000()), 0).unwrap();
        let capacity = device.cluster().ddr().capacity();
        let memory = device.malloc(1 << 20).unwrap();
        assert_eq!(memory.start() as usize % 128, 0);
        assert_eq!(device.cluster().ddr().taken(), 1 << 20);
        let error = device.reserve(capacity).unwrap_err();
        assert!(matches!(error, ExecError::OutOfMemory(_)));
        drop(memory);
        drop(device.reserve(capacity).unwrap());
        assert_eq!(device.cluster().ddr().taken(), 0);
    }
}
