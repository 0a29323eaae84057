//! Objects in memory.

use std::collections::BTreeSet;

/// Where objects are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Section {
    /// DDR, and can be written.
    #[default]
    Global,
    /// DDR, and is not written.
    Constant,
    /// GSM, without contents.
    Gsm,
}

/// A part of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataItem {
    /// Bytes.
    Bytes(Vec<u8>),
    /// The address of a symbol, and what is added.
    Address(String, i64),
}

/// An object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataObject {
    /// Its name.
    pub name: String,
    /// Whether other files see it.
    pub is_global: bool,
    /// Whether other files may define it as well.
    pub is_common: bool,
    /// Where it is.
    pub section: Section,
    /// The multiple that its address is of, bytes.
    pub alignment: u64,
    /// What it has.
    pub items: Vec<DataItem>,
}

impl DataObject {
    /// Its bytes.
    pub fn size(&self) -> u64 {
        let sizes = self.items.iter().map(|item| match item {
            DataItem::Bytes(bytes) => bytes.len() as u64,
            DataItem::Address(..) => 8,
        });
        sizes.sum()
    }
}

/// The objects so far. An object ends where the next label is.
#[derive(Default)]
pub struct Data {
    objects: Vec<DataObject>,
    pub section: Section,
    alignment: u64,
}

impl Data {
    /// An object begins.
    pub fn label(&mut self, name: &str) {
        self.objects.push(DataObject {
            name: name.to_owned(),
            is_global: false,
            is_common: false,
            section: self.section,
            alignment: std::mem::take(&mut self.alignment).max(8),
            items: Vec::new(),
        });
    }

    /// A common object.
    pub fn common(&mut self, name: &str, bytes: u64, alignment: u64) {
        self.objects.push(DataObject {
            name: name.to_owned(),
            is_global: true,
            is_common: true,
            section: Section::Global,
            alignment: alignment.max(8),
            items: vec![DataItem::Bytes(vec![0; bytes as usize])],
        });
    }

    /// The next object, or the next item, is aligned.
    pub fn align(&mut self, alignment: u64) {
        self.alignment = self.alignment.max(alignment);
        let section = self.section;
        if let Some(object) = self.objects.last_mut().filter(|one| one.section == section) {
            let size = object.size();
            let fill = size.next_multiple_of(alignment) - size;
            if fill > 0 && size > 0 {
                push(object, vec![0; fill as usize]);
            }
        }
    }

    /// Adds an item; false if there is no object.
    pub fn add(&mut self, item: DataItem) -> bool {
        let section = self.section;
        let object = self.objects.last_mut();
        let Some(object) = object.filter(|one| one.section == section && !one.is_common) else {
            return false;
        };
        self.alignment = 0;
        match item {
            DataItem::Bytes(bytes) => push(object, bytes),
            address @ DataItem::Address(..) => object.items.push(address),
        }
        true
    }

    /// All of them.
    pub fn objects(self, global: &BTreeSet<String>) -> Vec<DataObject> {
        let objects = self.objects.into_iter();
        objects
            .map(|object| DataObject {
                is_global: object.is_global || global.contains(&object.name),
                ..object
            })
            .collect()
    }
}

fn push(object: &mut DataObject, bytes: Vec<u8>) {
    match object.items.last_mut() {
        Some(DataItem::Bytes(before)) => before.extend(bytes),
        _ => object.items.push(DataItem::Bytes(bytes)),
    }
}
