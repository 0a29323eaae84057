//! The platform and its devices.

use crate::call::{Returns, Run, Step};
use crate::model::{Details, Device, Id, Kind};
use crate::objects::queries::{Answer, size, text, uint};
use cl_sys::*;

/// Types of devices that exist: `CL_DEVICE_TYPE_ALL` and the single bits.
const TYPES: u64 = 0x1F;
const ALL: u64 = 0xFFFF_FFFF;
const DEFAULT: u64 = 1;

/// Queries of `clGetDeviceInfo` with answers of 32 bits, of 64 bits, and of other types.
const OF_32_BITS: &[u32] = &[
    CL_DEVICE_VENDOR_ID,
    CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS,
    CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR,
    CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF,
    CL_DEVICE_NATIVE_VECTOR_WIDTH_INT,
    CL_DEVICE_MAX_CLOCK_FREQUENCY,
    CL_DEVICE_ADDRESS_BITS,
    CL_DEVICE_IMAGE_SUPPORT,
    CL_DEVICE_MAX_SAMPLERS,
    CL_DEVICE_MEM_BASE_ADDR_ALIGN,
    CL_DEVICE_GLOBAL_MEM_CACHE_TYPE,
    CL_DEVICE_LOCAL_MEM_TYPE,
    CL_DEVICE_ENDIAN_LITTLE,
    CL_DEVICE_AVAILABLE,
    CL_DEVICE_LINKER_AVAILABLE,
];
const OF_64_BITS: &[u32] = &[
    CL_DEVICE_TYPE,
    CL_DEVICE_MAX_WORK_GROUP_SIZE,
    CL_DEVICE_MAX_MEM_ALLOC_SIZE,
    CL_DEVICE_GLOBAL_MEM_SIZE,
    CL_DEVICE_LOCAL_MEM_SIZE,
    CL_DEVICE_SINGLE_FP_CONFIG,
    CL_DEVICE_PROFILING_TIMER_RESOLUTION,
    CL_DEVICE_EXECUTION_CAPABILITIES,
    CL_DEVICE_QUEUE_PROPERTIES,
    CL_DEVICE_PRINTF_BUFFER_SIZE,
];
const OF_ANY_SIZE: &[u32] = &[
    CL_DEVICE_NAME,
    CL_DEVICE_VENDOR,
    CL_DRIVER_VERSION,
    CL_DEVICE_VERSION,
    CL_DEVICE_EXTENSIONS,
    CL_DEVICE_BUILT_IN_KERNELS,
    CL_DEVICE_PARTITION_PROPERTIES,
    CL_DEVICE_PARTITION_TYPE,
];

impl Run {
    /// Adds the platform's handle as argument, or an invalid one.
    pub fn platform_argument(&mut self, null_may_be_wrong: bool) {
        if self.wrong() {
            if self.one_in(2) {
                self.null("platform");
                // The behaviour of null is implementation-defined, and may be the loader's.
                if null_may_be_wrong {
                    self.may(CL_INVALID_PLATFORM);
                } else {
                    self.go_direct();
                    self.fault(CL_INVALID_PLATFORM);
                }
                return;
            }
            let garbage = self.garbage().max(1);
            self.go_direct();
            self.number("platform", garbage);
            self.fault(CL_INVALID_PLATFORM);
            return;
        }
        self.argument("platform", self.platform, "the platform");
    }

    pub fn get_platform_ids(&mut self) -> Step {
        // The loader answers `clGetPlatformIDs` itself and lists other platforms as well: the call
        // goes to the platform directly.
        let extension = self.one_in(2);
        self.begin(if extension {
            "clIcdGetPlatformIDsKHR"
        } else {
            "clGetPlatformIDs"
        });
        self.go_direct();
        let platform = [self.platform];
        self.list(
            ["num_entries", "platforms", "num_platforms"],
            8,
            Some(&platform),
            Some(CL_INVALID_VALUE),
            None,
        )?;
        Some(())
    }

    pub fn get_platform_info(&mut self) -> Step {
        self.begin("clGetPlatformInfo");
        self.platform_argument(true);
        let answers = [
            (CL_PLATFORM_PROFILE, text("FULL_PROFILE")),
            (CL_PLATFORM_VERSION, Answer::Any),
            (CL_PLATFORM_NAME, Answer::Any),
            (CL_PLATFORM_VENDOR, Answer::Any),
            (CL_PLATFORM_EXTENSIONS, Answer::Any),
        ];
        self.query_among(&answers, true)
    }

    /// Adds a type of devices as argument. Returns the root devices of this type.
    pub fn device_type(&mut self) -> Vec<Id> {
        let mut wanted = self.one_of(&[ALL, DEFAULT, 8, 9, ALL]);
        if self.wrong() {
            wanted = if self.one_in(2) {
                self.garbage()
            } else {
                u64::from(self.random.below(32))
            };
        }
        self.argument("device_type", wanted, &format!("{wanted:#x}"));
        let all = (0..self.devices.len() as Id).collect();
        if wanted == ALL {
            return all;
        }
        self.fault_if(wanted == 0 || wanted & !TYPES != 0, CL_INVALID_DEVICE_TYPE);
        // The environment sets the type of the devices.
        if wanted & (DEFAULT | 8) == 0 {
            self.may(CL_DEVICE_NOT_FOUND);
        }
        // The default device is the first.
        if wanted & 8 == 0 { vec![0] } else { all }
    }

    pub fn get_device_ids(&mut self) -> Step {
        self.begin("clGetDeviceIDs");
        self.platform_argument(true);
        let devices = self.device_type();
        let devices: Vec<u64> = devices
            .iter()
            .map(|id| self.model.object(*id).handle)
            .collect();
        self.list(
            ["num_entries", "devices", "num_devices"],
            8,
            Some(&devices),
            Some(CL_INVALID_VALUE),
            None,
        )?;
        Some(())
    }

    pub fn get_device_info(&mut self) -> Step {
        self.begin("clGetDeviceInfo");
        let wanted = self.pick(Kind::Device);
        let device = self.handle("device", &[Kind::Device], wanted);
        let mut answers: Vec<(u32, Answer)> = Vec::new();
        answers.extend(OF_32_BITS.iter().map(|name| (*name, Answer::Size(4))));
        answers.extend(OF_64_BITS.iter().map(|name| (*name, Answer::Size(8))));
        answers.extend(OF_ANY_SIZE.iter().map(|name| (*name, Answer::Any)));
        answers.push((CL_DEVICE_MAX_WORK_ITEM_SIZES, Answer::Size(24)));
        answers.push((CL_DEVICE_PLATFORM, size(self.platform)));
        if let Some(device) = device {
            let details = self.model.device(device);
            let parent = details
                .parent
                .map_or(0, |parent| self.model.object(parent).handle);
            let references = self.model.object(device).references;
            answers.push((CL_DEVICE_MAX_COMPUTE_UNITS, uint(details.compute_units)));
            answers.push((CL_DEVICE_PARENT_DEVICE, size(parent)));
            answers.push((CL_DEVICE_REFERENCE_COUNT, uint(references)));
        }
        self.query_among(&answers, true)
    }

    /// Records the root devices before the first step.
    pub fn insert_devices(&mut self) {
        for (index, handle) in self.devices.clone().into_iter().enumerate() {
            self.model.insert(crate::model::Object {
                id: index as Id,
                kind: Kind::Device,
                handle,
                context: 0,
                references: 1,
                held: true,
                details: Details::Device(Device {
                    parent: None,
                    compute_units: self.root_compute_units,
                }),
            });
        }
    }

    pub fn get_extension_function_address(&mut self) -> Step {
        let of_platform = self.one_in(2);
        if of_platform {
            self.begin("clGetExtensionFunctionAddressForPlatform");
            self.platform_argument(false);
        } else {
            self.begin("clGetExtensionFunctionAddress");
            self.go_direct();
        }
        let name = self.one_of(&[
            "clIcdGetPlatformIDsKHR\0",
            "clCreateContext\0",
            "",
            "\0",
            "clNothingOfTheSort\0",
            "clIcdGetPlatformIDsKH\0",
        ]);
        if name.is_empty() {
            self.go_direct();
            self.null("func_name");
        } else {
            self.input("func_name", name.as_bytes(), &format!("{name:?}"));
        }
        let exists = name.starts_with("clIcdGetPlatformIDsKHR") || name == "clCreateContext\0";
        self.fault_if(!exists, CL_INVALID_VALUE);
        self.make(Returns::Address)?;
        Some(())
    }

    pub fn unload_compiler(&mut self) -> Step {
        if self.one_in(2) {
            self.begin("clUnloadCompiler");
            self.go_direct();
        } else {
            self.begin("clUnloadPlatformCompiler");
            self.platform_argument(false);
        }
        self.make(Returns::Status)?;
        Some(())
    }
}
