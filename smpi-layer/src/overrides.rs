//! Functions that do more than the platform's: those that choose a platform, queries that find a
//! command unfinished, and those that take callbacks.

use crate::callbacks::{self, Callback};
use crate::calls;
use crate::functions::types::*;
use crate::functions::{direct, slot, timed};
use crate::node_clock::Platforms;
use crate::rank::Rank;
use crate::target::Address;
use std::ptr::null_mut;

/// The functions with their places in the dispatch table.
pub const OVERRIDES: &[(i32, Address)] = &[
    (
        slot::clGetPlatformIDs,
        Address(get_platform_ids as *const ()),
    ),
    (
        slot::clGetPlatformInfo,
        Address(get_platform_info as *const ()),
    ),
    (slot::clGetDeviceIDs, Address(get_device_ids as *const ())),
    (
        slot::clCreateContextFromType,
        Address(create_context_from_type as *const ()),
    ),
    (slot::clGetEventInfo, Address(get_event_info as *const ())),
    (
        slot::clGetEventProfilingInfo,
        Address(get_event_profiling_info as *const ()),
    ),
    (
        slot::clSetEventCallback,
        Address(set_event_callback as *const ()),
    ),
    (slot::clBuildProgram, Address(build_program as *const ())),
    (
        slot::clCompileProgram,
        Address(compile_program as *const ()),
    ),
    (slot::clLinkProgram, Address(link_program as *const ())),
];

/// The platform that the program names, or that of the rank's node.
fn platform_or_own(platform: cl_platform_id) -> cl_platform_id {
    match Rank::current() {
        Some(rank) if platform.is_null() => rank.clock.platform,
        _ => platform,
    }
}

unsafe extern "C-unwind" fn get_platform_ids(
    num_entries: cl_uint,
    platforms: Out<cl_platform_id>,
    num_platforms: Out<cl_uint>,
) -> cl_int {
    let Some(rank) = Rank::current() else {
        // SAFETY: as the caller promises.
        return unsafe { direct::clGetPlatformIDs(num_entries, platforms, num_platforms) };
    };
    let is_list_empty = !platforms.is_null() && num_entries == 0;
    if is_list_empty || (platforms.is_null() && num_platforms.is_null()) {
        return CL_INVALID_VALUE;
    }
    let own: Vec<_> = std::iter::once(rank.clock.platform)
        .chain(Platforms::get().others())
        .collect();
    // SAFETY: the caller's list has that many entries, and its number may be written.
    unsafe {
        if !platforms.is_null() {
            let count = own.len().min(num_entries as usize);
            std::ptr::copy_nonoverlapping(own.as_ptr(), platforms, count);
        }
        if !num_platforms.is_null() {
            num_platforms.write(own.len() as cl_uint);
        }
    }
    CL_SUCCESS
}

unsafe extern "C-unwind" fn get_platform_info(
    platform: cl_platform_id,
    param_name: cl_platform_info,
    size: usize,
    value: Out<c_void>,
    size_ret: Out<usize>,
) -> cl_int {
    let platform = platform_or_own(platform);
    // SAFETY: as the caller promises.
    unsafe { timed::clGetPlatformInfo(platform, param_name, size, value, size_ret) }
}

unsafe extern "C-unwind" fn get_device_ids(
    platform: cl_platform_id,
    device_type: cl_device_type,
    num_entries: cl_uint,
    devices: Out<cl_device_id>,
    num_devices: Out<cl_uint>,
) -> cl_int {
    let platform = platform_or_own(platform);
    // SAFETY: as the caller promises.
    unsafe { timed::clGetDeviceIDs(platform, device_type, num_entries, devices, num_devices) }
}

/// Names the platform of the rank's node if the program names none.
unsafe extern "C-unwind" fn create_context_from_type(
    properties: In<cl_context_properties>,
    device_type: cl_device_type,
    pfn_notify: Option<ContextCallback>,
    user_data: *mut c_void,
    errcode_ret: Out<cl_int>,
) -> *mut c_void {
    let mut named = Vec::new();
    if let Some(rank) = Rank::current() {
        let mut pair = properties;
        let mut names_platform = false;
        // SAFETY: the caller's list is of pairs, and ends with 0.
        unsafe {
            while !pair.is_null() && *pair != 0 {
                names_platform |= *pair == CL_CONTEXT_PLATFORM as cl_context_properties;
                named.extend([*pair, *pair.add(1)]);
                pair = pair.add(2);
            }
        }
        if !names_platform {
            let own = rank.clock.platform.expose_provenance().cast_signed();
            named.extend([CL_CONTEXT_PLATFORM as cl_context_properties, own]);
        }
        named.push(0);
    }
    let list = match named.is_empty() {
        true => properties,
        false => named.as_ptr(),
    };
    // SAFETY: as the caller promises; the list of the layer ends with 0 too.
    unsafe { timed::clCreateContextFromType(list, device_type, pfn_notify, user_data, errcode_ret) }
}

/// Performs a query, which takes some time if it finds its command unfinished.
fn query(is_unfinished: impl Fn(cl_int) -> bool, function: impl Fn() -> cl_int) -> cl_int {
    calls::call(|| {
        let code = function();
        if is_unfinished(code)
            && let Some(rank) = Rank::current()
        {
            rank.poll();
        }
        code
    })
}

unsafe extern "C-unwind" fn get_event_info(
    event: cl_event,
    param_name: cl_event_info,
    size: usize,
    value: Out<c_void>,
    size_ret: Out<usize>,
) -> cl_int {
    let is_status = param_name == CL_EVENT_COMMAND_EXECUTION_STATUS && !value.is_null();
    let is_unfinished = |code| {
        if code != CL_SUCCESS || !is_status {
            return false;
        }
        // SAFETY: after success the value is a status.
        let status = unsafe { value.cast::<cl_int>().read_unaligned() };
        status > CL_COMPLETE
    };
    query(is_unfinished, || {
        // SAFETY: as the caller promises.
        unsafe { direct::clGetEventInfo(event, param_name, size, value, size_ret) }
    })
}

unsafe extern "C-unwind" fn get_event_profiling_info(
    event: cl_event,
    param_name: cl_profiling_info,
    size: usize,
    value: Out<c_void>,
    size_ret: Out<usize>,
) -> cl_int {
    query(
        |code| code == CL_PROFILING_INFO_NOT_AVAILABLE,
        || {
            // SAFETY: as the caller promises.
            unsafe { direct::clGetEventProfilingInfo(event, param_name, size, value, size_ret) }
        },
    )
}

unsafe extern "C-unwind" fn set_event_callback(
    event: cl_event,
    threshold: cl_int,
    pfn_notify: Option<EventCallback>,
    user_data: *mut c_void,
) -> cl_int {
    let Some(rank) = Rank::current() else {
        // SAFETY: as the caller promises.
        return unsafe { direct::clSetEventCallback(event, threshold, pfn_notify, user_data) };
    };
    // The event is checked first, as by the platform.
    // SAFETY: the platform checks the event.
    let code = unsafe { direct::clRetainEvent(event) };
    if code != CL_SUCCESS {
        return code;
    }
    let is_status = [CL_COMPLETE, CL_RUNNING, CL_SUBMITTED].contains(&threshold);
    let Some(function) = pfn_notify.filter(|_| is_status) else {
        // SAFETY: gives back the reference of above.
        unsafe { direct::clReleaseEvent(event) };
        return CL_INVALID_VALUE;
    };
    calls::of_rank(rank, || {
        callbacks::add(
            rank,
            Callback {
                event,
                threshold,
                function,
                user_data,
            },
        );
    });
    CL_SUCCESS
}

/// Builds a program during the call, and then notifies the rank that builds it.
fn build(
    program: cl_program,
    pfn_notify: Option<ProgramCallback>,
    user_data: *mut c_void,
    build: impl Fn(Option<ProgramCallback>, *mut c_void) -> cl_int,
) -> cl_int {
    let Some(notify) = pfn_notify.filter(|_| Rank::current().is_some()) else {
        return calls::call(|| build(pfn_notify, user_data));
    };
    let code = calls::call(|| build(None, null_mut()));
    match code {
        CL_SUCCESS | CL_BUILD_PROGRAM_FAILURE | CL_COMPILE_PROGRAM_FAILURE => {
            // SAFETY: the program gave the function for this.
            unsafe { notify(program, user_data) };
            CL_SUCCESS
        }
        _ => code,
    }
}

unsafe extern "C-unwind" fn build_program(
    program: cl_program,
    num_devices: cl_uint,
    devices: In<cl_device_id>,
    options: In<c_char>,
    pfn_notify: Option<ProgramCallback>,
    user_data: *mut c_void,
) -> cl_int {
    build(program, pfn_notify, user_data, |notify, data| {
        // SAFETY: as the caller promises.
        unsafe { direct::clBuildProgram(program, num_devices, devices, options, notify, data) }
    })
}

unsafe extern "C-unwind" fn compile_program(
    program: cl_program,
    num_devices: cl_uint,
    devices: In<cl_device_id>,
    options: In<c_char>,
    num_headers: cl_uint,
    headers: In<cl_program>,
    names: In<In<c_char>>,
    pfn_notify: Option<ProgramCallback>,
    user_data: *mut c_void,
) -> cl_int {
    build(program, pfn_notify, user_data, |notify, data| {
        // SAFETY: as the caller promises.
        unsafe {
            direct::clCompileProgram(
                program,
                num_devices,
                devices,
                options,
                num_headers,
                headers,
                names,
                notify,
                data,
            )
        }
    })
}

unsafe extern "C-unwind" fn link_program(
    context: cl_context,
    num_devices: cl_uint,
    devices: In<cl_device_id>,
    options: In<c_char>,
    num_programs: cl_uint,
    programs: In<cl_program>,
    pfn_notify: Option<ProgramCallback>,
    user_data: *mut c_void,
    errcode_ret: Out<cl_int>,
) -> *mut c_void {
    let notify = pfn_notify.filter(|_| Rank::current().is_some());
    let (given, data) = match notify {
        Some(_) => (None, null_mut()),
        None => (pfn_notify, user_data),
    };
    // SAFETY: as the caller promises; the program gave the function for this.
    unsafe {
        let linked = timed::clLinkProgram(
            context,
            num_devices,
            devices,
            options,
            num_programs,
            programs,
            given,
            data,
            errcode_ret,
        );
        if let Some(notify) = notify
            && !linked.is_null()
        {
            notify(linked, user_data);
        }
        linked
    }
}
