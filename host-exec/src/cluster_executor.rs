//! A cluster of the simulated machine as the runtime uses it: its memory, and the execution of kernels
//! in place of its arrays.

use crate::device_memory::DeviceMemory;
use crate::error::ExecError;
use crate::execute;
use crate::launch::{CounterSlice, Launch, LaunchConfiguration};
use crate::printf_buffer;
use device_sim::cluster::Cluster;
use device_sim::machine::CodeStackLayout;
use device_sim::machine::Machine;
use device_sim::timing::group_sample::{self, GroupClasses, sampled_groups};
use device_sim::timing::launch_report::{Details, LaunchReport};
use device_sim::timing::launch_sizes::LaunchSizes;
use device_sim::timing::pending_report::PendingReport;
use device_sim::timing::prediction::{self, Sample};
use device_sim::timing::recorder::Recorder;
use device_sim::timing::timed_kernel::TimedKernel;
use device_sim::units::Bytes;
use std::sync::Arc;

/// An opened cluster (hthreads: `hthread_dev_open`). The threads that it models are resident: started
/// with the device, one on each array, and given one kernel after another, which costs up to half
/// less than firing the arrays for each launch (MOCL3 paper). A launch names its arrays.
pub struct ClusterExecutor {
    cluster: Cluster,
    memory: Arc<DeviceMemory>,
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
        let cluster = Cluster::new(machine, number);
        let alignment = machine.open_cl.base_alignment.value;
        Ok(Self {
            memory: Arc::new(DeviceMemory::new(cluster.ddr(), alignment)),
            cluster,
        })
    }

    /// The simulated cluster.
    pub fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// Its memory.
    pub fn memory(&self) -> &Arc<DeviceMemory> {
        &self.memory
    }

    /// Runs a kernel and waits for it (hthreads: `hthread_group_exec`, `hthread_group_wait`), and
    /// writes what it printed.
    ///
    /// # Errors
    /// `NoStorage`, `NoStack` or `Overtime`.
    ///
    /// # Safety
    /// As `execute::execute`.
    pub unsafe fn run(&self, launch: &Launch<'_>) -> Result<(), ExecError> {
        // SAFETY: as the caller promises.
        let outcome = unsafe { execute::execute(launch) };
        printf_buffer::flush();
        outcome
    }

    /// As `run`, for timed code; its report with these details.
    ///
    /// # Errors
    /// `NoStorage`, `NoStack` or `Overtime`.
    ///
    /// # Safety
    /// As `execute::execute`.
    pub unsafe fn run_timed(
        &self,
        launch: &Launch<'_>,
        kernel: &Arc<TimedKernel>,
        details: Details,
    ) -> Result<PendingReport, ExecError> {
        let configuration = launch.configuration;
        let groups = configuration.nd_range.groups();
        let recorder = Recorder::new(kernel, launch.arrays, groups);
        let recorded = Launch {
            recorder: Some(&recorder),
            ..*launch
        };
        // SAFETY: as the caller promises.
        unsafe { self.run(&recorded) }?;
        let machine = self.cluster.machine();
        let layout = CodeStackLayout::from_environment(&machine.layout);
        let sizes = sizes(machine, &layout, &configuration);
        Ok(recorder.report(machine, layout, sizes, details))
    }

    /// Predicts the report of a launch by executing the counter slice for a sample of its groups. If
    /// these are all, the launch is simulated.
    ///
    /// # Errors
    /// `NoStorage`, `NoStack`.
    ///
    /// # Safety
    /// As `execute::execute`, for the slice.
    pub unsafe fn predict(
        &self,
        launch: &Launch<'_>,
        slice: &CounterSlice,
        kernel: &Arc<TimedKernel>,
    ) -> Result<Arc<LaunchReport>, ExecError> {
        let configuration = launch.configuration;
        let groups = configuration.nd_range.groups();
        let sampled = sampled_groups(groups, slice.dependence.group);
        let machine = self.cluster.machine();
        let layout = CodeStackLayout::from_environment(&machine.layout);
        let sizes = sizes(machine, &layout, &configuration);
        let execute = |recorder: &Recorder, sampled: &[u64]| {
            let sliced = Launch {
                function: slice.function,
                code: slice.code,
                counter_slice: None,
                recorder: Some(recorder),
                ..*launch
            };
            // SAFETY: as the caller promises.
            unsafe { execute::execute_sample(&sliced, sampled) }
        };
        if sampled.len() as u64 == groups {
            let recorder = Recorder::new(kernel, launch.arrays, groups);
            execute(&recorder, &sampled)?;
            let report = recorder.report(machine, layout, sizes, Details::default());
            return Ok(Arc::clone(report.get()));
        }
        let sample = |sampled: &[u64], groups: u64| -> Result<Sample, ExecError> {
            let recorder = Recorder::of_sample(kernel, sampled.len() as u64);
            execute(&recorder, sampled)?;
            let (record, counts) = recorder.finish();
            Ok(Sample {
                record,
                counts,
                sampled: sampled.len() as u64,
                groups,
            })
        };
        let mut samples = vec![sample(&sampled, groups)?];
        let group_count = configuration.nd_range.group_count;
        if let Some(classes) = GroupClasses::new(group_count, launch.arrays.count())
            && group_sample::differ(&samples[0].record)
        {
            let of_class = |class| sample(&classes.sampled_groups(class), classes.groups(class));
            samples = (0..classes.count())
                .map(of_class)
                .collect::<Result<_, _>>()?;
        }
        let cost = kernel.cost();
        let launched = (&samples[..], launch.arrays);
        let report = prediction::report(machine, &layout, cost, launched, &sizes);
        Ok(Arc::new(report))
    }
}

/// What the report of a launch says of its sizes.
fn sizes(
    machine: &Machine,
    layout: &CodeStackLayout,
    configuration: &LaunchConfiguration,
) -> LaunchSizes {
    LaunchSizes {
        groups: configuration.nd_range.groups(),
        work_items: configuration.nd_range.global_size.iter().product(),
        local_memory: Bytes(configuration.local_memory),
        private_memory: Bytes(configuration.machine_private_memory),
        private_memory_limit: Bytes(
            layout.private_memory(&machine.memory, configuration.local_memory),
        ),
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
}
