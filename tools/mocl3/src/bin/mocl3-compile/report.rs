//! The report of a compiled file, as a table and as JSON.

use device_sim::machine::{
    Capacities, CodeStackLayout, Description, Exceeded, Identity, KernelMemory, Machine,
};
use device_sim::timing::cost::KernelCost;
use kernel_compiler::executable::{
    AccessQualifier, ArgumentKind, KernelArgument, KernelInterface, ResourceUse,
};
use mocl3_shared::table::Table;
use serde::Serialize;

/// The indentation of the table of arguments, columns.
const INDENT: usize = 4;

/// A file and the result of its compilation.
#[derive(Serialize)]
pub struct Build {
    /// The file's name in diagnostics.
    pub file: String,
    pub succeeded: bool,
    pub machine: MachineIdentity,
    /// The compiler's diagnostics.
    pub log: String,
    pub kernels: Vec<Kernel>,
}

/// The machine of the report.
#[derive(Serialize)]
pub struct MachineIdentity {
    name: String,
    #[serde(flatten)]
    identity: Identity,
}

impl MachineIdentity {
    pub fn new(description: &Description) -> Self {
        Self {
            name: description.name().to_owned(),
            identity: description.identity().clone(),
        }
    }
}

#[derive(Serialize)]
pub struct Kernel {
    name: String,
    attributes: String,
    required_work_group_size: Option<[u64; 3]>,
    arguments: Vec<Argument>,
    /// The local size for which the kernel was compiled; `None` for code of all sizes.
    local_size: Option<[u64; 3]>,
    resources: Resources,
    machine: MachineUse,
}

/// What the machine's code needs.
#[derive(Serialize)]
struct MachineUse {
    /// 0 if the control core runs work-items one after another.
    lanes: u32,
    /// Of a work-group, of which all lanes run at a time. Without a local size, of one with as many
    /// work-items as lanes.
    private_memory_bytes: u64,
    stack_bytes: u32,
    code_bytes: u32,
    /// What the machine has less of.
    exceeded: Vec<Exceeded>,
}

#[derive(Serialize)]
struct Argument {
    name: String,
    #[serde(rename = "type")]
    type_name: String,
    address_space: &'static str,
    access: Option<&'static str>,
    qualifiers: Vec<&'static str>,
    /// Bytes that `clSetKernelArg` takes; `None` for local memory, which has any size.
    bytes: Option<usize>,
}

/// `ResourceUse`, with the machine's limits.
#[derive(Serialize)]
struct Resources {
    local_memory_bytes: u64,
    machine_local_memory_bytes: u64,
    /// For a work-group, in addition to the kernel's own local memory.
    machine_private_memory_bytes: u64,
    /// The most work-items of a group whose private memory the machine has; 0: none.
    max_work_group_size: u64,
    #[serde(skip)]
    machine_max_work_group_size: u64,
    /// Whether the machine has the private memory for `Kernel::local_size`.
    #[serde(skip)]
    private_memory_fits: bool,
    private_memory_bytes: u64,
    kept_across_barriers_bytes: u64,
    code_bytes: u64,
    barriers: usize,
    dma_transfers: usize,
    interchanged_loops: usize,
    regions: usize,
    widest_vector_elements: u32,
    vectorised: Option<bool>,
    #[serde(skip)]
    text: String,
}

impl Argument {
    fn new(argument: &KernelArgument) -> Self {
        let address_space = match argument.kind {
            ArgumentKind::Value | ArgumentKind::Sampler => "private",
            ArgumentKind::GlobalPointer | ArgumentKind::Image => "global",
            ArgumentKind::ConstantPointer => "constant",
            ArgumentKind::LocalPointer => "local",
        };
        let is_image = argument.access != AccessQualifier::None;
        Self {
            name: argument.name.clone(),
            type_name: argument.type_name.clone(),
            address_space,
            access: is_image.then_some(argument.access.name()),
            qualifiers: argument.type_qualifiers.names().collect(),
            bytes: (argument.kind != ArgumentKind::LocalPointer).then_some(argument.size),
        }
    }
}

impl Kernel {
    pub fn new(
        interface: &KernelInterface,
        local_size: Option<[u64; 3]>,
        resources: &ResourceUse,
        cost: &KernelCost,
        machine: &Machine,
    ) -> Self {
        let layout = CodeStackLayout::from_environment(&machine.layout);
        let local_memory_bytes = resources.local_memory_bytes;
        let private_memory = layout.private_memory(&machine.memory, local_memory_bytes);
        let most_work_items = resources.private_memory.most_work_items(
            private_memory,
            machine.array.lanes.value,
            machine.open_cl.work_group_size.value,
        );
        Self {
            name: interface.name.clone(),
            attributes: interface.attributes.clone(),
            required_work_group_size: interface.required_work_group_size,
            arguments: interface.arguments.iter().map(Argument::new).collect(),
            local_size,
            machine: MachineUse::new(
                local_size,
                resources,
                cost,
                private_memory,
                Capacities::new(machine, &layout),
            ),
            resources: Resources {
                local_memory_bytes,
                machine_local_memory_bytes: layout.local_memory(&machine.memory),
                machine_private_memory_bytes: private_memory,
                machine_max_work_group_size: machine.open_cl.work_group_size.value,
                max_work_group_size: most_work_items.unwrap_or(0),
                private_memory_fits: resources.private_memory.fits(
                    local_size.map_or(1, |size| size.iter().product()),
                    private_memory,
                ),
                private_memory_bytes: resources.private_memory.per_work_item(),
                kept_across_barriers_bytes: resources.private_memory.kept,
                code_bytes: resources.code_bytes,
                barriers: resources.barriers,
                dma_transfers: resources.transfers,
                interchanged_loops: resources.interchanged_loops,
                regions: resources.regions,
                widest_vector_elements: resources.widest_vector,
                vectorised: resources.vectorised,
                text: resources.to_string(),
            },
        }
    }
}

impl MachineUse {
    fn new(
        local_size: Option<[u64; 3]>,
        resources: &ResourceUse,
        cost: &KernelCost,
        private_memory_limit: u64,
        capacities: Capacities,
    ) -> Self {
        let lanes = u64::from(cost.lanes).max(1);
        let work_items = local_size.map_or(lanes, |size| size.iter().product());
        let uses = KernelMemory {
            private_memory: resources
                .private_memory
                .per_group(work_items, lanes.min(work_items)),
            private_memory_limit,
            stack: cost.stack_bytes.into(),
            code: cost.code_bytes.into(),
        };
        Self {
            lanes: cost.lanes,
            private_memory_bytes: uses.private_memory,
            stack_bytes: cost.stack_bytes,
            code_bytes: cost.code_bytes,
            exceeded: capacities.exceeded(&uses),
        }
    }
}

impl Build {
    /// The report as text, at most `width` columns wide where numbers permit it.
    pub fn text(&self, width: Option<usize>) -> String {
        let count = self.kernels.len();
        let noun = if count == 1 { "kernel" } else { "kernels" };
        let kernels = self.kernels.iter().map(|kernel| kernel.text(width));
        format!(
            "{}: {count} {noun}\n{}",
            self.file,
            kernels.collect::<String>()
        )
    }
}

impl Kernel {
    /// An empty line and the lines about the kernel.
    fn text(&self, width: Option<usize>) -> String {
        let mut text = format!("\nkernel {}\n", self.name);
        if !self.attributes.is_empty() {
            text += &format!("  attributes: {}\n", self.attributes);
        }
        if self.arguments.is_empty() {
            text += "  no arguments\n";
        } else {
            text += "  arguments\n";
            text += self.arguments_table().text(width).trim_end();
            text.push('\n');
        }
        text += &match self.local_size {
            Some([x, y, z]) => format!("  for work-groups of {x},{y},{z}\n"),
            None => "  for work-groups of any size\n".to_owned(),
        };
        for line in self.resources.text.lines() {
            text += &format!("    {line}\n");
        }
        let MachineUse {
            lanes,
            private_memory_bytes,
            stack_bytes,
            code_bytes,
            ..
        } = self.machine;
        let lanes = match lanes {
            0 => "no".to_owned(),
            lanes => lanes.to_string(),
        };
        text += &format!(
            "    on the machine    {lanes} lanes, {private_memory_bytes} bytes of private memory, \
             {stack_bytes} of stack, {code_bytes} of code\n"
        );
        for limit in self.exceeded_limits() {
            text += &format!("    {limit}\n");
        }
        text
    }

    /// Warnings about what the machine has not.
    pub fn warnings(&self) -> impl Iterator<Item = String> {
        let limits = self.exceeded_limits().into_iter();
        limits.map(|limit| format!("warning: kernel `{}`: {limit}\n", self.name))
    }

    /// What the kernel and its code on the machine need more of than the machine has. Of a kernel
    /// that cannot run, only the reason.
    fn exceeded_limits(&self) -> Vec<String> {
        match self.exceeded_limit() {
            Some(limit) => vec![limit],
            None => self
                .machine
                .exceeded
                .iter()
                .map(ToString::to_string)
                .collect(),
        }
    }

    /// What the kernel needs more of than the machine has.
    fn exceeded_limit(&self) -> Option<String> {
        let resources = &self.resources;
        let local = resources.machine_local_memory_bytes;
        if resources.local_memory_bytes > local {
            return Some(format!(
                "it cannot run: the machine has {local} bytes of local memory"
            ));
        }
        let most = resources.max_work_group_size;
        let private = resources.machine_private_memory_bytes;
        let has = format!("the machine has {private} bytes of private memory for a work-group");
        if most == 0 {
            return Some(format!("it cannot run: {has}"));
        }
        if !resources.private_memory_fits {
            return Some(format!(
                "it cannot run: {has}, enough for {most} work-items"
            ));
        }
        let is_limit = self.local_size.is_none() && most < resources.machine_max_work_group_size;
        is_limit.then(|| format!("work-groups have at most {most} work-items: {has}"))
    }

    fn arguments_table(&self) -> Table {
        let heading = [
            "",
            "type",
            "name",
            "address space",
            "access",
            "qualifiers",
            "bytes",
        ];
        let mut table = Table::of_words(&heading, &[1, 2], INDENT);
        for (index, argument) in self.arguments.iter().enumerate() {
            table.row(vec![
                index.to_string(),
                argument.type_name.clone(),
                argument.name.clone(),
                argument.address_space.to_owned(),
                argument.access.unwrap_or("-").into(),
                match argument.qualifiers.as_slice() {
                    [] => "-".into(),
                    qualifiers => qualifiers.join(" "),
                },
                argument
                    .bytes
                    .map_or_else(|| "any".into(), |bytes| bytes.to_string()),
            ]);
        }
        table
    }
}
