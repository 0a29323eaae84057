//! Labels of commands and of the devices of their queues.

use recording::{Command, Header, Process};
use std::borrow::Cow;
use std::fmt;

/// A command's label: kernel or type, and whether it failed or was given up.
pub fn name(command: &Command) -> Cow<'_, str> {
    let name = match &command.kernel {
        Some(kernel) => kernel,
        None => command.kind.trim_start_matches("CL_COMMAND_"),
    };
    match command.status {
        0 if command.gave_up => format!("{name} given up").into(),
        0 => name.into(),
        _ => format!("{name} failed").into(),
    }
}

/// The label of several commands that are shown as one: their common name, or their number and
/// `what`.
pub fn together(count: u64, name: Option<&str>, what: &str) -> String {
    match (count, name) {
        (1, Some(name)) => name.to_owned(),
        (_, Some(name)) => format!("{count} × {name}"),
        (_, None) => format!("{count} {what}"),
    }
}

/// A device: `cluster 1` or `accelerators`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct DeviceLabel {
    /// Its index.
    pub number: u32,
    is_custom: bool,
}

impl DeviceLabel {
    /// The label of a device of the process with that header.
    pub fn new(header: &Header, number: u32) -> Self {
        let is_custom = header.is_custom(number);
        Self { number, is_custom }
    }
}

impl fmt::Display for DeviceLabel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_custom {
            true => formatter.write_str("accelerators"),
            false => write!(formatter, "cluster {}", self.number),
        }
    }
}

/// The device of a command's queue, and whether the queue is out of order.
pub fn device(process: &Process, command: &Command) -> String {
    let cluster = command.device;
    let devices = &process.header.devices;
    let whole = devices.get(cluster as usize).map(|device| device.arrays);
    let mut name = DeviceLabel::new(&process.header, cluster).to_string();
    let first = command.first_array;
    match command.arrays {
        1 if whole != Some(1) => name += &format!(", array {first}"),
        arrays if first > 0 || whole.is_some_and(|whole| arrays < whole) => {
            name += &format!(", arrays {first} to {}", (first + arrays).saturating_sub(1));
        }
        _ => {}
    }
    if !command.in_order {
        name += ", out of order";
    }
    name
}

#[cfg(test)]
mod tests {
    use super::device;
    use crate::synthetic;
    use recording::Command;

    #[test]
    fn sub_devices_are_named_by_their_arrays() {
        let process = synthetic::example();
        let of = |first_array, arrays, in_order| {
            let command = Command {
                device: 1,
                first_array,
                arrays,
                in_order,
                ..Command::default()
            };
            device(&process, &command)
        };
        assert_eq!(of(0, 24, true), "cluster 1");
        assert_eq!(of(0, 24, false), "cluster 1, out of order");
        assert_eq!(of(0, 8, true), "cluster 1, arrays 0 to 7");
        assert_eq!(of(8, 16, false), "cluster 1, arrays 8 to 23, out of order");
        assert_eq!(of(3, 1, true), "cluster 1, array 3");
    }
}
