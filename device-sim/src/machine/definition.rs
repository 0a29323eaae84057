//! Descriptions in TOML: complete ones, and overlays that hold what differs from their base.

use super::catalogue::Shipped;
use super::description::{LARGEST_FILE, MT3000, Machine};
use super::error::MachineError;
use super::flatten::{Entry, entries, is_number, part, part_mut};
use super::launch::Completion;
use super::print;
use super::quantity::Quantity;
use super::setting::{self, split_settings};
use environment::{MACHINE, MACHINE_SET, WAIT_MODE, files};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

/// Overlays of overlays at most.
const DEEPEST: u32 = 8;

/// The key of an overlay that names its base.
const BASE: &str = "base";

/// The key of the accelerators of fixed functions, which an overlay can add to its base.
const ACCELERATOR: &str = "accelerator";

/// The key of the scheduler of their tasks.
const TASK_SCHEDULER: &str = "task_scheduler";

/// Sections to which an overlay can add names of its own.
const OPEN_SECTIONS: [&str; 2] = [
    "clusters.affinity.",
    "task_scheduler.queue_manager.policies.",
];

/// A number or choice that differs from the base's, or was set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Its name: `memory.ddr.bandwidth`.
    pub name: String,
    /// Its value with its unit.
    pub value: String,
    /// The value that it replaces; `None` if the base has no such number.
    pub before: Option<String>,
    /// Source of the value that it replaces, in the word of machine descriptions; empty for choices.
    pub before_source: String,
    /// Whether a setting made the change, and not the description.
    pub is_set: bool,
}

/// What a machine is, beyond its numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Name of the machine whose description is the base; `None` for a complete description.
    pub base: Option<String>,
    /// What differs from the base, and what was set.
    pub changes: Vec<Change>,
}

impl Change {
    /// The change in words: "memory.ddr.bandwidth is 85.2 GB/s, not 42.6 GB/s (assumed)".
    pub fn sentence(&self) -> String {
        let (name, value) = (&self.name, &self.value);
        match (&self.before, self.before_source.as_str()) {
            (Some(before), "") => format!("{name} is {value}, not {before}"),
            (Some(before), source) => format!("{name} is {value}, not {before} ({source})"),
            (None, _) => format!("{name} is {value}"),
        }
    }
}

impl Identity {
    /// In words: the base, and each number that was set. Nothing for a complete description without
    /// changes.
    pub fn sentences(&self) -> Vec<String> {
        let base = self.base.as_ref().map(|base| {
            let count = self.differences();
            format!("based on {base}, from which {count} numbers differ")
        });
        let set = self
            .set()
            .map(|change| format!("changed: {}", change.sentence()));
        base.into_iter().chain(set).collect()
    }

    /// The changes by settings.
    pub fn set(&self) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(|change| change.is_set)
    }

    /// How many numbers and choices of the description differ from the base's.
    pub fn differences(&self) -> usize {
        let changes = self.changes.iter();
        changes.filter(|change| !change.is_set).count()
    }
}

/// A description of a machine, with all numbers.
#[derive(Clone, Debug)]
pub struct Description {
    table: Table,
    identity: Identity,
    /// The text, if it is complete and nothing was set.
    text: Option<String>,
}

impl Description {
    /// The machine that `MOCL3_MACHINE` names, or MT-3000, with the wait mode of `MT_WAIT_MODE` and the
    /// settings of `MOCL3_MACHINE_SET`.
    ///
    /// # Errors
    /// The variable and why it cannot be used.
    pub fn from_environment() -> Result<Self, String> {
        let text = |value: std::ffi::OsString| value.to_string_lossy().into_owned();
        let mut description = match MACHINE.get().map(text) {
            Some(name) => Self::select(&name).map_err(|error| format!("{MACHINE}: {error}"))?,
            None => Self::parse(MT3000).map_err(|error| error.to_string())?,
        };
        if let Some(completion) = Completion::from_environment() {
            let setting = format!("launch.completion={}", completion.name());
            let set = description.set(&setting);
            set.map_err(|error| format!("{WAIT_MODE}: {error}"))?;
        }
        if let Some(list) = MACHINE_SET.get().map(text) {
            for setting in split_settings(&list) {
                let set = description.set(setting);
                set.map_err(|error| format!("{MACHINE_SET}: {error}"))?;
            }
            // A range may depend on several numbers, so they are checked together.
            let machine = description.machine();
            machine.map_err(|error| format!("{MACHINE_SET}: {error}"))?;
        }
        Ok(description)
    }

    /// The machine that ships by that name, or the description in that file.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn select(name: &str) -> Result<Self, MachineError> {
        match Shipped::find(name) {
            Some(shipped) => Self::parse(shipped.text),
            None => Self::read(Path::new(name)),
        }
    }

    /// Reads a description from a file. A base that does not ship is a file relative to its folder.
    ///
    /// # Errors
    /// It is no regular file of at most [`LARGEST_FILE`] bytes, cannot be read, or is refused by
    /// `parse`.
    pub fn read(path: &Path) -> Result<Self, MachineError> {
        Self::read_overlaid(path, 0)
    }

    fn read_overlaid(path: &Path, depth: u32) -> Result<Self, MachineError> {
        let text =
            files::read_text(path, LARGEST_FILE).map_err(|error| MachineError::Unreadable {
                path: path.display().to_string(),
                error,
            })?;
        Self::resolve(&text, path.parent(), depth)
    }

    /// Reads a description, whose base ships, if it has one.
    ///
    /// # Errors
    /// Text that is no TOML, unknown or missing keys, numbers out of range or contradicting each
    /// other, numbers in other units, changed numbers with the base's note.
    pub fn parse(text: &str) -> Result<Self, MachineError> {
        Self::resolve(text, None, 0)
    }

    fn resolve(text: &str, folder: Option<&Path>, depth: u32) -> Result<Self, MachineError> {
        let mut table: Table = toml::from_str(text)?;
        let Some(base) = table.remove(BASE) else {
            // The built-in description is tested.
            if text != MT3000 {
                // From the text, for errors with lines.
                Machine::parse(text)?;
                check_units(&table)?;
            }
            return Ok(Self {
                table,
                identity: Identity::default(),
                text: Some(text.to_owned()),
            });
        };
        let Value::String(base) = base else {
            return Err(MachineError::Base("`base` is no string".into()));
        };
        let base = match (Shipped::find(&base), folder) {
            _ if depth == DEEPEST => {
                return Err(MachineError::Base(format!(
                    "there are more than {DEEPEST} overlays: is one its own base?"
                )));
            }
            (Some(shipped), _) => Self::resolve(shipped.text, None, depth + 1)?,
            (None, Some(folder)) => Self::read_overlaid(&folder.join(base), depth + 1)?,
            (None, None) => {
                return Err(MachineError::Base(format!("no machine `{base}` ships")));
            }
        };
        check_names(text, &base.table)?;
        let mut merged = base.table.clone();
        merge(&mut merged, table);
        let changes = changes(&base.table, &merged)?;
        let description = Self {
            identity: Identity {
                base: Some(base.name().to_owned()),
                changes,
            },
            table: merged,
            text: None,
        };
        check_units(&description.table)?;
        description.machine()?;
        Ok(description)
    }

    /// The machine's name.
    pub fn name(&self) -> &str {
        match self.table.get("name") {
            Some(Value::String(name)) => name,
            _ => "",
        }
    }

    /// What the machine is based on, and what differs.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// All numbers and choices by their full names, in the order of these.
    ///
    /// # Errors
    /// None, for a description that was read.
    pub fn entries(&self) -> Result<Vec<(String, Entry)>, MachineError> {
        entries(&self.table)
    }

    /// Applies a setting, such as `memory.ddr.bandwidth=85.2GB/s`. `machine` then checks ranges.
    ///
    /// # Errors
    /// No such number, another unit, or no number.
    pub fn set(&mut self, setting: &str) -> Result<(), MachineError> {
        let before = self.table.clone();
        let name = setting::apply(&mut self.table, setting)?;
        for change in self::changes(&before, &self.table)? {
            let changes = &mut self.identity.changes;
            let earlier = changes
                .iter()
                .position(|one| one.name == name && one.is_set);
            let first = earlier.map(|place| changes.remove(place));
            let (before, before_source) = match first {
                Some(first) => (first.before, first.before_source),
                None => (change.before, change.before_source),
            };
            self.text = None;
            changes.push(Change {
                before,
                before_source,
                is_set: true,
                ..change
            });
        }
        Ok(())
    }

    /// The machine.
    ///
    /// # Errors
    /// Numbers out of range or contradicting each other.
    pub fn machine(&self) -> Result<Machine, MachineError> {
        Machine::from_table(self.table.clone())
    }

    /// The complete description in TOML.
    pub fn text(&self) -> String {
        match &self.text {
            Some(text) => text.clone(),
            None => print::description(&self.table),
        }
    }
}

/// Puts what an overlay holds in the place of what the base has. Numbers are replaced with their
/// units, sources and notes.
fn merge(base: &mut Table, overlay: Table) {
    for (key, value) in overlay {
        match (base.get_mut(&key), value) {
            (Some(Value::Table(section)), Value::Table(inner)) if !is_number(&inner) => {
                merge(section, inner);
            }
            (Some(rows @ Value::Array(_)), Value::Table(changed)) => {
                for (function, inner) in changed {
                    if let (Some(Value::Table(row)), Value::Table(inner)) =
                        (part_mut(rows, &function), inner)
                    {
                        merge(row, inner);
                    }
                }
            }
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
}

/// What differs between two complete descriptions.
///
/// # Errors
/// A number differs, and its source and note do not.
fn changes(base: &Table, other: &Table) -> Result<Vec<Change>, MachineError> {
    let before: BTreeMap<String, Entry> = entries(base)?.into_iter().collect();
    let mut changes = Vec::new();
    for (name, entry) in entries(other)? {
        let replaced = before.get(&name);
        if replaced.is_some_and(|replaced| replaced.to_string() == entry.to_string()) {
            continue;
        }
        let mut before_source = String::new();
        if let (Some(Entry::Number(before)), Entry::Number(number)) = (replaced, &entry) {
            if (before.source, &before.note) == (number.source, &number.note) {
                return Err(MachineError::ForeignSource(name));
            }
            before_source = before.source.to_string();
        }
        changes.push(Change {
            value: entry.to_string(),
            before: replaced.map(ToString::to_string),
            before_source,
            is_set: false,
            name,
        });
    }
    Ok(changes)
}

/// Checks that each number has the unit that the MT-3000's has, or, of the task scheduler, that of the
/// system for signal processing.
fn check_units(table: &Table) -> Result<(), MachineError> {
    let mut reference: BTreeMap<String, Entry> = entries(&MT3000.parse()?)?.into_iter().collect();
    if table.contains_key(TASK_SCHEDULER)
        && let Some(dsp) = Shipped::find(Shipped::DSP)
    {
        reference.extend(entries(&dsp.text.parse()?)?);
    }
    let unit = |name: &str| match reference.get(name) {
        Some(Entry::Number(number)) => Some(&number.unit),
        _ => None,
    };
    for (name, entry) in entries(table)? {
        let Entry::Number(Quantity { unit: found, .. }) = entry else {
            continue;
        };
        if name.starts_with(ACCELERATOR) {
            // Functions are free; the units of their numbers are checked with the machine.
            continue;
        }
        // Sizes of affinity domains that the MT-3000 lacks are counts.
        let expected = unit(&name).cloned().unwrap_or_default();
        if found != expected {
            return Err(MachineError::Unit {
                name,
                expected,
                found,
            });
        }
    }
    Ok(())
}

/// Checks that the base has what an overlay names, except in open sections, and accelerators with their
/// scheduler.
///
/// # Errors
/// The first other name, with its line.
fn check_names(text: &str, base: &Table) -> Result<(), MachineError> {
    let table = DeTable::parse(text)?;
    unknown(table.get_ref(), base, "").map_or(Ok(()), |(name, place)| {
        let before = text.get(..place).unwrap_or_default();
        let line = Some(before.matches('\n').count() + 1);
        Err(MachineError::Unknown { name, line })
    })
}

/// The first name that the base lacks, and its place in the text.
fn unknown(overlay: &DeTable<'_>, base: &Table, prefix: &str) -> Option<(String, usize)> {
    for (key, value) in overlay {
        let name = format!("{prefix}{}", key.get_ref());
        let is_free = [BASE, ACCELERATOR, TASK_SCHEDULER].contains(&name.as_str())
            || OPEN_SECTIONS
                .iter()
                .any(|section| name.starts_with(section));
        match base.get(key.get_ref().as_ref()) {
            None if is_free => {}
            None => return Some((name, key.span().start)),
            Some(Value::Table(inner)) if !is_number(inner) => {
                let value: &Spanned<DeValue<'_>> = value;
                if let DeValue::Table(section) = value.get_ref() {
                    let found = unknown(section, inner, &format!("{name}."));
                    if found.is_some() {
                        return found;
                    }
                }
            }
            Some(rows @ Value::Array(_)) => {
                let DeValue::Table(functions) = value.get_ref() else {
                    continue;
                };
                let mut names = functions.keys();
                let missing = names.find(|key| part(rows, key.get_ref()).is_none());
                if let Some(key) = missing {
                    return Some((format!("{name}.{}", key.get_ref()), key.span().start));
                }
            }
            Some(_) => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERLAY: &str = r#"
base = "mt3000"
name = "M"
[memory.ddr]
bandwidth = { value = 85_200_000_000, unit = "byte/s", source = "hypothetical", note = "twice" }
[launch]
start = "fire"
"#;

    fn refusal(text: &str) -> String {
        Description::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn an_overlay_has_the_numbers_of_its_base_and_its_own() {
        let description = Description::parse(OVERLAY).unwrap();
        let machine = description.machine().unwrap();
        assert_eq!(machine.memory.ddr.bandwidth.value, 85_200_000_000);
        assert_eq!(
            (machine.name.as_str(), machine.vendor.as_str()),
            ("M", "NUDT")
        );
        let identity = description.identity();
        assert_eq!(identity.base.as_deref(), Some("MT-3000"));
        let names: Vec<&str> = identity
            .changes
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        assert_eq!(names, ["launch.start", "memory.ddr.bandwidth"]);
        let change = &identity.changes[1];
        assert_eq!(change.before.as_deref(), Some("42.6 GB/s"));
        assert_eq!(
            (change.value.as_str(), change.before_source.as_str()),
            ("85.2 GB/s", "assumed")
        );
        assert_eq!((identity.differences(), identity.set().count()), (2, 0));
    }

    #[test]
    fn an_overlay_adds_policies() {
        let text = |key: &str| {
            format!(
                r#"
base = "dsp"
name = "M"
[task_scheduler.queue_manager]
policy = "mine"
[task_scheduler.queue_manager.policies.mine]
{key} = {{ expression = "-cycles", source = "hypothetical", note = "the longest" }}
"#
            )
        };
        let machine = Description::parse(&text("order")).unwrap().machine();
        let manager = machine.unwrap().task_scheduler.unwrap().queue_manager;
        assert_eq!(manager.policies["mine"].order.expression, "-cycles");
        assert_eq!(manager.policies.len(), 7);
        let error = refusal(&text("sequence"));
        assert!(error.contains("unknown field `sequence`"), "{error}");
    }

    #[test]
    fn errors_of_overlays_name_the_number() {
        for (from, to, message) in [
            (
                "bandwidth",
                "band",
                "line 5: unknown name `memory.ddr.band`",
            ),
            ("[launch]", "[lunch]", "line 6: unknown name `lunch`"),
            (
                "byte/s",
                "GB/s",
                "memory.ddr.bandwidth is in `byte/s`, not in `GB/s`",
            ),
            ("85_200_000_000", "1", "memory.ddr.bandwidth is 1"),
            ("fire", "kick", "unknown variant `kick`"),
            ("mt3000", "mt4000", "no machine `mt4000` ships"),
            (", note = \"twice\"", "", "missing field `note`"),
        ] {
            let error = refusal(&OVERLAY.replace(from, to));
            assert!(error.contains(message), "{from} -> {to}: {error}");
        }
    }

    /// What a description says of a number's source is about that number.
    #[test]
    fn a_changed_number_has_a_source_of_its_own() {
        let error = refusal(
            "base = \"mt3000\"\nname = \"M\"\n[clusters]\narrays = { value = 8, source = \"published\", \
             note = \"acceleration arrays of a cluster; Lu et al. 2022\" }\n",
        );
        assert!(error.contains("clusters.arrays differs"), "{error}");
    }

    #[test]
    fn bases_are_files_next_to_the_overlay_and_end() {
        let folder = std::env::temp_dir().join(format!("mocl3-overlays-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
        write("first.toml", OVERLAY);
        write("second.toml", "base = \"first.toml\"\nname = \"N\"\n");
        write("loop.toml", "base = \"loop.toml\"\nname = \"N\"\n");
        let second = Description::read(&folder.join("second.toml")).unwrap();
        let machine = second.machine().unwrap();
        assert_eq!(machine.memory.ddr.bandwidth.value, 85_200_000_000);
        assert_eq!(second.identity().base.as_deref(), Some("M"));
        let error = Description::read(&folder.join("loop.toml")).unwrap_err();
        assert!(error.to_string().contains("overlays"), "{error}");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn settings_are_marked_as_hypothetical() {
        let mut description = Description::parse(MT3000).unwrap();
        description.set("memory.ddr.bandwidth=60GB/s").unwrap();
        description.set("memory.ddr.bandwidth = 85.2 GB/s").unwrap();
        description.set("launch.start=fire").unwrap();
        description.set("clusters.arrays=24").unwrap();
        let machine = description.machine().unwrap();
        let bandwidth = &machine.memory.ddr.bandwidth;
        assert_eq!(bandwidth.value, 85_200_000_000);
        assert_eq!(bandwidth.source.to_string(), "hypothetical");
        let set: Vec<(&str, Option<&str>)> = description
            .identity()
            .set()
            .map(|change| (change.value.as_str(), change.before.as_deref()))
            .collect();
        assert_eq!(
            set,
            [
                ("85.2 GB/s", Some("42.6 GB/s")),
                ("fire", Some("interrupt"))
            ]
        );
    }

    #[test]
    fn settings_that_cannot_be_applied_are_refused() {
        let mut description = Description::parse(MT3000).unwrap();
        for (setting, message) in [
            ("clusters.arrays", "has the form name=value"),
            ("ddr.bandwidth=1GB/s", "Is it memory.ddr.bandwidth or"),
            ("memory.ddr=1", "no such number"),
            ("memory.ddr.bandwidth.value=1", "no such number"),
            ("name=X", "no such number"),
            (
                "memory.ddr.bandwidth=85.2",
                "write the unit, such as 42.6GB/s",
            ),
            ("memory.ddr.bandwidth=85.2GB", "no unit of this number"),
        ] {
            let error = description.set(setting).unwrap_err().to_string();
            assert!(error.contains(message), "{setting}: {error}");
        }
        description.set("clusters.arrays=9999").unwrap();
        let error = description.machine().unwrap_err().to_string();
        assert!(error.contains("clusters.arrays"), "{error}");
    }

    #[test]
    fn what_is_written_is_read_as_the_same_machine() {
        for text in [MT3000, OVERLAY] {
            let description = Description::parse(text).unwrap();
            let again = Description::parse(&description.text()).unwrap();
            assert_eq!(again.machine().unwrap(), description.machine().unwrap());
        }
    }
}
