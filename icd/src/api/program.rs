//! Programs (OpenCL 1.2, section 5.6).

use crate::abi::callback::{ProgramCallback, check_user_data, program_notify};
use crate::abi::entry_point::{Call, Created};
use crate::abi::function_table::call::{
    clBuildProgram, clCompileProgram, clCreateProgramWithBinary, clCreateProgramWithBuiltInKernels,
    clCreateProgramWithSource, clGetProgramBuildInfo, clGetProgramInfo, clLinkProgram,
    clReleaseProgram, clRetainProgram,
};
use crate::abi::handle;
use crate::abi::host_memory::In;
use crate::api::context;
use crate::api::errors::invalid_value;
use crate::api::info::{Destination, unknown_query};
use cl_sys::{
    CL_INVALID_VALUE, CL_PROGRAM_BINARIES, CL_PROGRAM_BINARY_SIZES, CL_PROGRAM_BINARY_TYPE,
    CL_PROGRAM_BUILD_LOG, CL_PROGRAM_BUILD_OPTIONS, CL_PROGRAM_BUILD_STATUS, CL_PROGRAM_CONTEXT,
    CL_PROGRAM_DEVICES, CL_PROGRAM_KERNEL_NAMES, CL_PROGRAM_NUM_DEVICES, CL_PROGRAM_NUM_KERNELS,
    CL_PROGRAM_REFERENCE_COUNT, CL_PROGRAM_SOURCE, CL_SUCCESS, cl_device_id, cl_program,
};
use runtime::context::Context;
use runtime::device::Device;
use runtime::error::{Code, Error, Result};
use runtime::program::{BuildNotify, Linking, Program};
use std::ffi::{c_char, c_void};
use std::sync::Arc;

/// A list of devices that may be left out (then it is empty). What is in it twice is
/// there once.
fn optional_devices(count: u32, list: In<cl_device_id>) -> Result<Vec<Arc<Device>>> {
    if list.is_null() != (count == 0) {
        return invalid_value("num_devices and device_list do not fit each other");
    }
    let mut devices: Vec<Arc<Device>> = Vec::new();
    for device in handle::objects::<Device>(count, list)? {
        if !devices.iter().any(|known| Arc::ptr_eq(known, &device)) {
            devices.push(device);
        }
    }
    Ok(devices)
}

/// A list of devices of a context, not empty.
fn devices_of(context: &Context, count: u32, list: In<cl_device_id>) -> Result<Vec<Arc<Device>>> {
    if count == 0 || list.is_null() {
        return invalid_value("no devices are given");
    }
    let devices = handle::objects::<Device>(count, list)?;
    check_devices(context, &devices)?;
    for (index, device) in devices.iter().enumerate() {
        if devices[..index]
            .iter()
            .any(|known| Arc::ptr_eq(known, device))
        {
            return Err(Error::new(Code::InvalidDevice, "a device is given twice"));
        }
    }
    Ok(devices)
}

fn check_devices(context: &Context, devices: &[Arc<Device>]) -> Result<()> {
    if devices.iter().all(|device| context.contains(device)) {
        return Ok(());
    }
    Err(Error::new(
        Code::InvalidDevice,
        "a device is not one of the context's",
    ))
}

/// Options; empty if null.
fn options(text: &In<c_char>, invalid: Code) -> Result<&str> {
    std::str::from_utf8(text.text().unwrap_or_default())
        .map_err(|_| Error::new(invalid, "the options are not UTF-8"))
}

fn notify(
    function: Option<ProgramCallback>,
    program: cl_program,
    user_data: *mut c_void,
) -> Result<Option<BuildNotify>> {
    check_user_data(function.is_some(), user_data)?;
    Ok(function.map(|function| program_notify(function, program, user_data)))
}

impl Call for clCreateProgramWithSource {
    type Output = Result<*mut c_void>;
    fn call(self) -> Self::Output {
        let context = context::for_new_objects(self.context)?;
        if self.count == 0 || self.strings.is_null() {
            return invalid_value("no strings are given");
        }
        let mut lengths = self.lengths.elements(self.count as usize);
        let mut source = Vec::new();
        for string in self.strings.elements(self.count as usize) {
            // A length of 0, or no lengths at all, mean "up to the NUL".
            let text = match lengths.next() {
                Some(length) if length > 0 => string.text_of_length(length),
                _ => string.text(),
            };
            let Some(text) = text else {
                return invalid_value("a string is NULL");
            };
            // Many programs count the NUL at the end as a part of the text. One before the
            // end stays, and the build reports where it is.
            let end = text.iter().rposition(|byte| *byte != 0);
            source.extend(&text[..end.map_or(0, |last| last + 1)]);
        }
        // OpenCL C is ASCII; other encodings appear in comments.
        let source = String::from_utf8(source)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        Ok(handle::publish(Program::from_source(&context, source)))
    }
}

impl Call for clCreateProgramWithBinary {
    type Output = Result<*mut c_void>;
    fn call(self) -> Self::Output {
        let context = context::for_new_objects(self.context)?;
        let devices = devices_of(&context, self.num_devices, self.device_list)?;
        if self.lengths.is_null() || self.binaries.is_null() {
            return invalid_value("lengths or binaries is NULL");
        }
        let lengths = self.lengths.elements(devices.len());
        let pointers: Vec<In<u8>> = self.binaries.elements(devices.len()).collect();
        let mut binaries = Vec::with_capacity(devices.len());
        let mut absent = false;
        for (index, ((device, length), pointer)) in
            devices.iter().zip(lengths).zip(&pointers).enumerate()
        {
            match pointer.bytes(length).filter(|bytes| !bytes.is_empty()) {
                Some(bytes) => {
                    self.binary_status.set_element(index, CL_SUCCESS);
                    binaries.push((Arc::clone(device), bytes));
                }
                None => {
                    self.binary_status.set_element(index, CL_INVALID_VALUE);
                    absent = true;
                }
            }
        }
        if absent {
            return invalid_value("a binary is NULL or has no bytes");
        }
        let (program, statuses) = Program::from_binaries(&context, &binaries);
        self.binary_status
            .set_elements(statuses.into_iter().map(|status| match status {
                Ok(()) => CL_SUCCESS,
                Err(error) => error.code as i32,
            }));
        Ok(handle::publish(program?))
    }
}

impl Call for clCreateProgramWithBuiltInKernels {
    type Output = Result<*mut c_void>;
    fn call(self) -> Self::Output {
        let context = context::for_new_objects(self.context)?;
        let devices = devices_of(&context, self.num_devices, self.device_list)?;
        let Some(names) = self.kernel_names.text() else {
            return invalid_value("kernel_names is NULL");
        };
        // No kernel has a name that is not UTF-8.
        let names = String::from_utf8_lossy(names);
        let program = Program::from_built_in_kernels(&context, &devices, &names)?;
        Ok(handle::publish(program))
    }
}

impl Call for clRetainProgram {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        handle::retain::<Program>(self.program)
    }
}

impl Call for clReleaseProgram {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        handle::release::<Program>(self.program)
    }
}

impl Call for clBuildProgram {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let program = handle::object::<Program>(self.program)?;
        let devices = optional_devices(self.num_devices, self.device_list)?;
        let notify = notify(self.pfn_notify, self.program, self.user_data)?;
        let options = options(&self.options, Code::InvalidBuildOptions)?;
        program.build(&devices, options, notify)
    }
}

impl Call for clCompileProgram {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let program = handle::object::<Program>(self.program)?;
        let devices = optional_devices(self.num_devices, self.device_list)?;
        let count = self.num_input_headers as usize;
        if self.input_headers.is_null() != (count == 0)
            || self.header_include_names.is_null() != (count == 0)
        {
            return invalid_value(
                "num_input_headers, input_headers and header_include_names do not fit each other",
            );
        }
        let notify = notify(self.pfn_notify, self.program, self.user_data)?;
        let mut headers = Vec::with_capacity(count);
        let programs = handle::objects::<Program>(self.num_input_headers, self.input_headers)?;
        for (name, header) in self.header_include_names.elements(count).zip(programs) {
            let Some(name) = name.text() else {
                return invalid_value("a name in header_include_names is NULL");
            };
            headers.push((String::from_utf8_lossy(name).into_owned(), header));
        }
        let options = options(&self.options, Code::InvalidCompilerOptions)?;
        program.compile(&devices, options, &headers, notify)
    }
}

impl clLinkProgram {
    fn link(&self) -> Result<Linking> {
        let context = context::for_new_objects(self.context)?;
        let devices = optional_devices(self.num_devices, self.device_list)?;
        check_devices(&context, &devices)?;
        if self.num_input_programs == 0 || self.input_programs.is_null() {
            return invalid_value("no input programs are given");
        }
        let programs = handle::objects::<Program>(self.num_input_programs, self.input_programs)?;
        check_user_data(self.pfn_notify.is_some(), self.user_data)?;
        let options = options(&self.options, Code::InvalidLinkerOptions)?;
        Program::link(&context, &devices, options, &programs)
    }
}

impl Call for clLinkProgram {
    type Output = Created;
    fn call(self) -> Created {
        let linking = match self.link() {
            Ok(linking) => linking,
            Err(error) => return Err(error).into(),
        };
        let pointer = handle::publish(Arc::clone(linking.program()));
        let notify = self
            .pfn_notify
            .map(|function| program_notify(function, pointer, self.user_data));
        let result = linking.run(notify);
        Created { pointer, result }
    }
}

impl Call for clGetProgramInfo {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let program = handle::object::<Program>(self.program)?;
        let destination = Destination::new(
            self.param_value_size,
            self.param_value,
            self.param_value_size_ret,
        );
        let binaries = || -> Vec<Arc<[u8]>> {
            let devices = program.devices().iter();
            devices.map(|device| program.binary(device)).collect()
        };
        match self.param_name {
            CL_PROGRAM_REFERENCE_COUNT => destination.write(handle::reference_count(&program)),
            CL_PROGRAM_CONTEXT => destination.write(handle::handle_of(program.context())),
            CL_PROGRAM_NUM_DEVICES => destination.write(program.devices().len() as u32),
            CL_PROGRAM_DEVICES => destination.write(handle::handles_of(program.devices())),
            CL_PROGRAM_SOURCE => destination.write(program.source().as_ref()),
            CL_PROGRAM_BINARY_SIZES => {
                let sizes: Vec<usize> = binaries().iter().map(|binary| binary.len()).collect();
                destination.write(sizes)
            }
            CL_PROGRAM_BINARIES => destination.write_to_pointers(&binaries()),
            CL_PROGRAM_NUM_KERNELS => destination.write(program.kernels()?.len()),
            CL_PROGRAM_KERNEL_NAMES => {
                let kernels = program.kernels()?;
                let names: Vec<&str> = kernels.iter().map(|kernel| kernel.name.as_str()).collect();
                destination.write(names.join(";"))
            }
            other => unknown_query(other),
        }
    }
}

impl Call for clGetProgramBuildInfo {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let program = handle::object::<Program>(self.program)?;
        let device = handle::object::<Device>(self.device)?;
        if !program
            .devices()
            .iter()
            .any(|known| Arc::ptr_eq(known, &device))
        {
            return Err(Error::new(
                Code::InvalidDevice,
                "the device is not one of the program's",
            ));
        }
        let destination = Destination::new(
            self.param_value_size,
            self.param_value,
            self.param_value_size_ret,
        );
        match self.param_name {
            CL_PROGRAM_BUILD_STATUS => destination.write(program.build_status(&device) as i32),
            CL_PROGRAM_BUILD_OPTIONS => destination.write(program.build_options(&device)),
            CL_PROGRAM_BUILD_LOG => destination.write(program.build_log(&device)),
            CL_PROGRAM_BINARY_TYPE => destination.write(program.binary_type(&device) as u32),
            other => unknown_query(other),
        }
    }
}
