//! The tables that reports refer to: accesses and objects.

use super::access::Access;
use super::places::Places;
use super::provenance::{Root, variable_type};
use crate::intrinsics::address_space;
use crate::ir::{DataLayout, Value};
use crate::kernel::interface::{AddressQualifier, KernelInterface, TypeQualifiers};
use host_exec::memory_checker::access_table::{
    AccessSite, AccessTable, CheckedObject, ImageSite, Space, UNKNOWN_OBJECT,
};
use std::collections::HashMap;

/// Tables that are being filled.
pub struct Sites<'a> {
    pub table: AccessTable,
    numbers: HashMap<Root, u64>,
    places: Places,
    kernel: Value,
    interface: &'a KernelInterface,
    layout: DataLayout,
}

impl<'a> Sites<'a> {
    pub fn new(kernel: Value, interface: &'a KernelInterface, layout: DataLayout) -> Self {
        Self {
            table: AccessTable::default(),
            numbers: HashMap::new(),
            places: Places::default(),
            kernel,
            interface,
            layout,
        }
    }

    /// The number of an access.
    pub fn add(&mut self, access: &Access) -> u64 {
        let site = AccessSite {
            writes: access.writes,
            alignment: access.alignment,
            value: access.value_type(),
            ..self.site(access.instruction)
        };
        self.push(site)
    }

    /// The number of the reads or the writes of a transfer.
    pub fn add_transfer(&mut self, call: Value, writes: bool) -> u64 {
        let site = AccessSite {
            writes,
            alignment: 1,
            ..self.site(call)
        };
        self.push(site)
    }

    /// The number of an access to an image.
    pub fn add_image(&mut self, site: ImageSite) -> u64 {
        self.table.images.push(site);
        self.table.images.len() as u64 - 1
    }

    fn push(&mut self, site: AccessSite) -> u64 {
        self.table.sites.push(site);
        self.table.sites.len() as u64 - 1
    }

    /// The place of an instruction.
    pub fn site(&mut self, instruction: Value) -> AccessSite {
        AccessSite {
            function: instruction.source_function().unwrap_or_default(),
            place: self.places.place(instruction),
            ..AccessSite::default()
        }
    }

    /// An object in memory, by its address.
    pub fn described(&self, object: Value) -> CheckedObject {
        let parameters = self.kernel.parameters();
        match parameters.iter().position(|parameter| *parameter == object) {
            Some(index) => self.argument(index),
            None => self.variable(object),
        }
    }

    /// The number of the object at a root.
    pub fn object(&mut self, root: Root) -> u64 {
        if let Some(&number) = self.numbers.get(&root) {
            return number;
        }
        let object = match root {
            Root::Argument(index, _) => self.argument(index),
            Root::Variable(variable) => self.variable(variable),
            Root::Null | Root::Trusted | Root::Unknown(_) => return UNKNOWN_OBJECT,
        };
        self.table.objects.push(object);
        let number = self.table.objects.len() as u64 - 1;
        self.numbers.insert(root, number);
        number
    }

    fn argument(&self, index: usize) -> CheckedObject {
        let argument = &self.interface.arguments[index];
        CheckedObject::Argument {
            index,
            name: argument.name.clone(),
            space: match argument.address {
                AddressQualifier::Private => Space::Private,
                AddressQualifier::Global => Space::Global,
                AddressQualifier::Constant => Space::Constant,
                AddressQualifier::Local => Space::Local,
            },
            is_const: argument.type_qualifiers.contains(TypeQualifiers::CONST),
        }
    }

    fn variable(&self, variable: Value) -> CheckedObject {
        // clang calls variables of functions `function.variable`, and LLVM copies `variable.i`.
        let name = variable.name();
        let name = match variable.is_global_variable() {
            true => name.rsplit('.').find(|part| part.parse::<u32>().is_err()),
            false => name.split('.').next(),
        };
        let bytes = variable_type(self.kernel, variable);
        CheckedObject::Variable {
            name: name.unwrap_or_default().to_owned(),
            space: match variable.ty().address_space() {
                address_space::GLOBAL => Space::Global,
                address_space::CONSTANT => Space::Constant,
                address_space::LOCAL => Space::Local,
                _ => Space::Private,
            },
            bytes: bytes.map_or(0, |ty| self.layout.size(ty)),
        }
    }
}
