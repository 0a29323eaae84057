//! Which thread this is.

use crate::device_thread::current;

pub extern "C" fn get_group_size() -> i32 {
    current().group.size as i32
}

pub extern "C" fn get_group_cores() -> u32 {
    current().group.cores()
}

pub extern "C" fn get_thread_id() -> i32 {
    current().number as i32
}

pub extern "C" fn get_core_id() -> i32 {
    current().member().core as i32
}
