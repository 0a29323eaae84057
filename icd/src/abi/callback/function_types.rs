//! The types of the host program's functions.

use cl_sys::{cl_event, cl_int, cl_mem, cl_program};
use std::ffi::{c_char, c_void};

/// `pfn_notify` of `clCreateContext`.
pub type ContextCallback = unsafe extern "C" fn(*const c_char, *const c_void, usize, *mut c_void);
/// `pfn_notify` of `clBuildProgram`, `clCompileProgram` and `clLinkProgram`.
pub type ProgramCallback = unsafe extern "C" fn(cl_program, *mut c_void);
/// `pfn_notify` of `clSetEventCallback`.
pub type EventCallback = unsafe extern "C" fn(cl_event, cl_int, *mut c_void);
/// `pfn_notify` of `clSetMemObjectDestructorCallback`.
pub type MemObjectCallback = unsafe extern "C" fn(cl_mem, *mut c_void);
/// `user_func` of `clEnqueueNativeKernel`.
pub type NativeKernel = unsafe extern "C" fn(*mut c_void);
