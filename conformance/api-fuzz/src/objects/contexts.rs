//! Contexts and command-queues.

use crate::call::{Returns, Run, Step};
use crate::callbacks;
use crate::callbacks::Counter;
use crate::model::{Context, Details, Id, Kind, Queue};
use crate::objects::queries::{Answer, size, sizes, uint};
use cl_sys::*;
use std::collections::BTreeSet;

const PLATFORM: u64 = 0x1084;
const INTEROP_USER_SYNC: u64 = 0x1085;
const QUEUE_PROPERTIES: u64 = 0x1093;

impl Run {
    /// Adds properties of a context as argument. Returns them.
    fn context_properties(&mut self) -> Vec<u64> {
        if self.one_in(4) {
            self.null("properties");
            return Vec::new();
        }
        let mut list = vec![PLATFORM, self.platform];
        if self.one_in(4) {
            list.extend([INTEROP_USER_SYNC, u64::from(self.random.below(2))]);
        }
        if self.wrong() {
            match self.random.below(4) {
                0 => {
                    list[1] = self.garbage();
                    self.fault(CL_INVALID_PLATFORM);
                }
                1 => {
                    list.extend([self.garbage() & 0x7FFF_FFFF | 1 << 16, 1]);
                    self.fault(CL_INVALID_PROPERTY);
                }
                2 => {
                    list.extend([PLATFORM, self.platform]);
                    self.fault(CL_INVALID_PROPERTY);
                }
                _ => {
                    list.extend([INTEROP_USER_SYNC, 2 + u64::from(self.random.below(9))]);
                    self.fault(CL_INVALID_PROPERTY);
                }
            }
            self.go_direct();
        }
        list.push(0);
        let bytes: Vec<u8> = list.iter().flat_map(|word| word.to_ne_bytes()).collect();
        self.input(
            "properties",
            &bytes,
            &format!("{list:#x?}").replace(['\n', ' '], ""),
        );
        list
    }

    /// Adds a callback and its user data as arguments. Returns the counter if the callback will be
    /// called.
    pub fn notify(&mut self, function: u64, wanted: bool) -> Option<Counter> {
        if wanted {
            let counter = Counter::new();
            self.argument("pfn_notify", function, "count");
            self.argument("user_data", counter.user_data(), "a counter");
            return Some(counter);
        }
        self.null("pfn_notify");
        if self.wrong() {
            self.number("user_data", 1u32);
            self.fault(CL_INVALID_VALUE);
        } else {
            self.null("user_data");
        }
        None
    }

    pub fn create_context(&mut self) -> Step {
        let of_type = self.one_in(4);
        let devices;
        let properties;
        if of_type {
            self.begin("clCreateContextFromType");
            properties = self.context_properties();
            if properties.is_empty() {
                // The loader uses the first of all platforms, which may be another one.
                self.go_direct();
            }
            devices = self.device_type();
        } else {
            self.begin("clCreateContext");
            properties = self.context_properties();
            let mut wanted: Vec<Id> = Vec::new();
            for _ in 0..self.one_of(&[1, 1, 1, 2, 3]) {
                // Half of the contexts have the first device in common.
                let device = if self.one_in(2) {
                    Some(0)
                } else {
                    self.pick(Kind::Device)
                };
                wanted.extend(device.filter(|device| !wanted.contains(device)));
            }
            if self.wrong() {
                wanted.clear();
            }
            self.fault_if(wanted.is_empty(), CL_INVALID_VALUE);
            devices = self.handles(("num_devices", "devices"), &[Kind::Device], &wanted);
        }
        let notifies = self.one_in(2);
        self.notify(callbacks::context as *const () as u64, notifies);
        let done = self.make(Returns::Object)?;
        if done.succeeded {
            for device in &devices {
                self.hold(*device);
            }
            let details = Details::Context(Context {
                devices,
                properties,
            });
            self.created(Kind::Context, done.pointer, 0, details);
        }
        Some(())
    }

    pub fn get_context_info(&mut self) -> Step {
        self.begin("clGetContextInfo");
        let wanted = self.pick(Kind::Context);
        let context = self.handle("context", &[Kind::Context], wanted);
        let mut answers = vec![
            (CL_CONTEXT_REFERENCE_COUNT, Answer::Size(4)),
            (CL_CONTEXT_NUM_DEVICES, Answer::Size(4)),
            (CL_CONTEXT_DEVICES, Answer::Any),
            (CL_CONTEXT_PROPERTIES, Answer::Any),
        ];
        if let Some(id) = context {
            let details = self.model.context(id);
            let handles: Vec<u64> = details
                .devices
                .iter()
                .map(|id| self.model.object(*id).handle)
                .collect();
            answers = vec![
                (
                    CL_CONTEXT_REFERENCE_COUNT,
                    uint(self.model.object(id).references),
                ),
                (CL_CONTEXT_NUM_DEVICES, uint(handles.len() as u32)),
                (CL_CONTEXT_DEVICES, sizes(&handles)),
                (CL_CONTEXT_PROPERTIES, sizes(&details.properties)),
            ];
        }
        self.query(&answers)
    }

    /// Adds a device of a context as argument, or an invalid one.
    pub fn device_of(&mut self, name: &str, devices: Option<Vec<Id>>) -> Option<Id> {
        let mut wanted = self.pick(Kind::Device);
        if let Some(devices) = &devices
            && !self.wrong()
        {
            wanted = self.pick_where(|object| devices.contains(&object.id));
        }
        let device = self.handle(name, &[Kind::Device], wanted);
        if let (Some(device), Some(devices)) = (device, devices) {
            self.fault_if(!self.serves(&devices, device), CL_INVALID_DEVICE);
            if !devices.contains(&device) {
                // Objects of a device may be valid for its sub-devices.
                self.may(CL_INVALID_DEVICE);
            }
        }
        device
    }

    pub fn create_command_queue(&mut self) -> Step {
        let by_list = self.has("clCreateCommandQueueWithPropertiesKHR") && self.one_in(4);
        self.begin(if by_list {
            "clCreateCommandQueueWithPropertiesKHR"
        } else {
            "clCreateCommandQueue"
        });
        let wanted = self.pick(Kind::Context);
        let context = self.handle("context", &[Kind::Context], wanted);
        let devices = context.map(|context| self.model.context(context).devices.clone());
        let device = self.device_of("device", devices);
        // Most queues are in-order, because more is known of their results.
        let mut properties = self.one_of(&[0u64, 0, 2, 2, 1, 3]);
        if self.wrong() {
            properties = self.garbage();
            self.fault_if(properties & !3 != 0, CL_INVALID_VALUE);
            // Bits of later versions of OpenCL.
            self.may(CL_INVALID_QUEUE_PROPERTIES);
        }
        if !by_list {
            self.argument("properties", properties, &format!("{properties:#x}"));
        } else if properties == 0 && self.one_in(2) {
            self.null("properties");
        } else {
            let list = [QUEUE_PROPERTIES, properties, 0];
            let bytes: Vec<u8> = list.iter().flat_map(|word| word.to_ne_bytes()).collect();
            self.input("properties", &bytes, &format!("{list:x?}"));
        }
        let done = self.make(Returns::Object)?;
        if let (Some(context), Some(device), true) = (context, device, done.succeeded) {
            self.hold(context);
            self.hold(device);
            let queue = Queue {
                device,
                properties,
                gates: BTreeSet::new(),
                doubtful: false,
            };
            self.created(Kind::Queue, done.pointer, context, Details::Queue(queue));
        }
        Some(())
    }

    pub fn get_command_queue_info(&mut self) -> Step {
        self.begin("clGetCommandQueueInfo");
        let wanted = self.pick(Kind::Queue);
        let queue = self.handle("command_queue", &[Kind::Queue], wanted);
        let mut answers = vec![
            (CL_QUEUE_CONTEXT, Answer::Size(8)),
            (CL_QUEUE_DEVICE, Answer::Size(8)),
            (CL_QUEUE_REFERENCE_COUNT, Answer::Size(4)),
            (CL_QUEUE_PROPERTIES, Answer::Size(8)),
        ];
        if let Some(id) = queue {
            let object = self.model.object(id);
            let details = self.model.queue(id);
            answers = vec![
                (
                    CL_QUEUE_CONTEXT,
                    size(self.model.object(object.context).handle),
                ),
                (
                    CL_QUEUE_DEVICE,
                    size(self.model.object(details.device).handle),
                ),
                (CL_QUEUE_REFERENCE_COUNT, uint(object.references)),
                (CL_QUEUE_PROPERTIES, size(details.properties)),
            ];
        }
        self.query(&answers)
    }
}
