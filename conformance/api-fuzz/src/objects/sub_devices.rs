//! Sub-devices.

use crate::call::{Returns, Run, Step};
use crate::model::{Details, Device, Id, Kind};
use cl_sys::*;

const EQUALLY: u64 = 0x1086;
const BY_COUNTS: u64 = 0x1087;
const BY_AFFINITY_DOMAIN: u64 = 0x1088;

/// Minimum number of compute units of a sub-device, which limits the number of sub-devices.
const LEAST: u32 = 3;

impl Run {
    /// Whether objects for these devices are valid for a device: the list contains it or a parent
    /// of it.
    pub fn serves(&self, devices: &[Id], device: Id) -> bool {
        let mut next = Some(device);
        while let Some(device) = next {
            if devices.contains(&device) {
                return true;
            }
            next = self.model.device(device).parent;
        }
        false
    }

    /// A partition scheme: its properties, and the compute units of each part, if known.
    fn choose_partition(&mut self, units: u32) -> (Vec<u64>, Option<Vec<u32>>) {
        let wrong = self.wrong();
        match self.random.below(if wrong { 6 } else { 5 }) {
            0 | 1 => {
                let mut count = LEAST.max(1 + self.random.below(units));
                if wrong {
                    count = self.one_of(&[0, units, units + 1, u32::MAX, i32::MAX as u32]);
                }
                let parts = units.checked_div(count).unwrap_or(0);
                self.fault_if(count == 0, CL_INVALID_VALUE);
                self.fault_if(count > units, CL_INVALID_DEVICE_PARTITION_COUNT);
                self.fault_if(units == 1 || count == units, CL_DEVICE_PARTITION_FAILED);
                let list = vec![EQUALLY, u64::from(count), 0];
                (list, Some(vec![count; parts as usize]))
            }
            2 | 3 => {
                let mut counts = Vec::new();
                for _ in 0..self.size(1, 3) {
                    counts.push(1 + self.random.below((units / 3).max(1)));
                }
                if wrong {
                    match self.random.below(3) {
                        0 => counts.clear(),
                        1 => counts.push(units),
                        _ => counts.push(u32::MAX),
                    }
                }
                let total: u64 = counts.iter().map(|count| u64::from(*count)).sum();
                self.fault_if(counts.is_empty(), CL_INVALID_VALUE);
                self.fault_if(total > u64::from(units), CL_INVALID_DEVICE_PARTITION_COUNT);
                self.fault_if(units == 1, CL_DEVICE_PARTITION_FAILED);
                let mut list = vec![BY_COUNTS];
                list.extend(counts.iter().map(|count| u64::from(*count)));
                list.extend([0, 0]);
                (list, Some(counts))
            }
            4 => {
                // The affinity domains that divide the device depend on the machine.
                let domain = 1 << self.random.below(6);
                self.leave_open();
                (vec![BY_AFFINITY_DOMAIN, domain, 0], None)
            }
            _ => {
                self.fault(CL_INVALID_VALUE);
                let name = self.garbage().max(0x2000);
                (vec![name, self.garbage(), 0], None)
            }
        }
    }

    pub fn create_sub_devices(&mut self) -> Step {
        self.begin("clCreateSubDevices");
        let wanted = self.pick(Kind::Device);
        let device = self.handle("in_device", &[Kind::Device], wanted);
        let units = device.map_or(self.root_compute_units, |id| {
            self.model.device(id).compute_units
        });
        let (list, parts) = self.choose_partition(units);
        if self.wrong() {
            self.null("partition_properties");
            self.fault(CL_INVALID_VALUE);
        } else {
            let bytes: Vec<u8> = list.iter().flat_map(|word| word.to_ne_bytes()).collect();
            self.input("partition_properties", &bytes, &format!("{list:x?}"));
        }
        // If the number of parts is unknown, it is at most the number of compute units.
        let most = parts.as_ref().map_or(units as usize, Vec::len);
        let mut entries = most;
        let mut at = None;
        if self.one_in(4) {
            self.number("num_devices", 0u32);
            self.null("out_devices");
        } else {
            if self.wrong() && most > 0 && parts.is_some() {
                entries = self.size(0, most - 1);
                self.fault(CL_INVALID_VALUE);
            }
            self.number("num_devices", entries);
            at = Some(self.output("out_devices", 8 * entries.min(64)));
        }
        let count_at = self.output("num_devices_ret", 4);
        if !self.make(Returns::Status)?.succeeded {
            return Some(());
        }
        let count = self.half_word_at(count_at) as usize;
        if parts.as_ref().is_some_and(|parts| parts.len() != count) {
            return self.fail_call(&format!("there are {count} sub-devices"));
        }
        let (Some(at), Some(parent)) = (at, device) else {
            return Some(());
        };
        self.hold(parent);
        for place in 0..count {
            let handle = self.word_at(at + 8 * place as u64);
            let compute_units = match &parts {
                Some(parts) => parts[place],
                None => units / count as u32,
            };
            let details = Device {
                parent: Some(parent),
                compute_units,
            };
            self.created(Kind::Device, handle, 0, Details::Device(details));
        }
        Some(())
    }
}
