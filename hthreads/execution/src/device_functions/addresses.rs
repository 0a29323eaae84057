//! Addresses of AM, SM and GSM on the machine, as those of the thread's array and cluster.

use crate::device_thread::{DeviceThread, current};
use kernel_compiler::device_c::MachineAddress;

/// The thread's address in place of one of the machine; others stay.
#[inline]
pub fn of_thread(thread: &DeviceThread, address: u64) -> u64 {
    match MachineAddress::of(address) {
        Some(MachineAddress::Am(offset)) => am_address(thread, offset),
        Some(MachineAddress::Sm(offset)) => sm_address(thread, offset),
        Some(MachineAddress::Gsm(offset)) => gsm_address(thread, offset),
        None => address,
    }
}

fn am_address(thread: &DeviceThread, offset: u64) -> u64 {
    thread.member().memory.am.start() as u64 + offset
}

fn sm_address(thread: &DeviceThread, offset: u64) -> u64 {
    thread.member().memory.sm.start() as u64 + offset
}

fn gsm_address(thread: &DeviceThread, offset: u64) -> u64 {
    let start = thread.code.gsm().first();
    start.map_or(offset, |(start, _)| start + offset)
}

pub extern "C" fn __ht_am_address(offset: u64) -> u64 {
    am_address(current(), offset)
}

pub extern "C" fn __ht_sm_address(offset: u64) -> u64 {
    sm_address(current(), offset)
}

pub extern "C" fn __ht_core_pointer(address: u64) -> u64 {
    of_thread(current(), address)
}
