//! The input of a pass: a module, and the settings that comment lines of it have.

use super::error::PassError;
use crate::intrinsics::DO_NOT_OPTIMISE;
use crate::ir::{self, Context, Module, Value};
use crate::kernel::checks::Checks;
use crate::kernel::image_argument::KnownArgument;
use crate::kernel::interface::{self, ArgumentKind};
use crate::kernel::specialisation::Specialisation;
use crate::shim;
use crate::target;
use crate::work_group::report;
use device_sim::machine::{CodeMemory, CodeStackLayout};
use std::fmt::Display;
use std::str::FromStr;

/// Name of the function that passes work on, if there are several kernels or it is none.
const KERNEL: &str = "k";

/// The line between input and expected result in the files of the before/after tests.
pub const DIVIDER: &str = "; ==== after ====\n";

/// What passes print: facts as comments, then IR.
pub type Output = Result<String, PassError>;

/// A module and settings.
pub struct Input<'c> {
    pub module: Module<'c>,
    pub specialisation: Specialisation,
    /// Kinds of the kernel's arguments; empty if no setting lists them.
    pub arguments: Vec<ArgumentKind>,
    pub optimise: bool,
    /// The host has the first x86-64's instructions only, not those of AVX2 or AVX-512 that a pass is for.
    pub first_host: bool,
    /// Lanes of vectors; the most of them if `by_cost`.
    pub lanes: u32,
    /// The cost model chooses the lanes, and whether to vectorise.
    pub by_cost: bool,
    pub layout: CodeStackLayout,
    /// Bytes at the start of private memory that are a variable of the group; 0 if there is none.
    pub group_slot: u64,
}

/// The settings of an input.
struct Settings<'a>(&'a str);

impl<'a> Settings<'a> {
    /// The rest of the comment line that begins with `name`.
    fn find(&self, name: &'static str) -> Option<&'a str> {
        let mut lines = self.0.lines();
        lines.find_map(|line| line.strip_prefix("; ")?.strip_prefix(name))
    }

    fn has(&self, name: &'static str) -> bool {
        self.find(name).is_some()
    }

    /// The value of a setting that is a number.
    fn number<T: FromStr<Err: Display>>(&self, name: &'static str) -> Result<Option<T>, PassError> {
        self.find(name).map(|text| parse(name, text)).transpose()
    }

    fn local_size(&self) -> Result<Option<[u64; 3]>, PassError> {
        const NAME: &str = "local size: ";
        let Some(text) = self.find(NAME) else {
            return Ok(None);
        };
        let sizes: Vec<u64> = text
            .split(',')
            .map(|size| parse(NAME, size))
            .collect::<Result<_, _>>()?;
        let sizes = sizes.try_into();
        let sizes = sizes.map_err(|_| wrong(NAME, "there must be three sizes"))?;
        Ok(Some(sizes))
    }

    /// Kinds of the kernel's arguments, and the known images and samplers among them.
    fn arguments(&self) -> Result<(Vec<ArgumentKind>, Vec<KnownArgument>), PassError> {
        const NAME: &str = "arguments: ";
        let (mut kinds, mut known) = (Vec::new(), Vec::new());
        let arguments = self.find(NAME).unwrap_or_default().split(',');
        for argument in arguments.map(str::trim).filter(|text| !text.is_empty()) {
            let words: Vec<&str> = argument.split(' ').collect();
            let number = |word: &str| parse::<u32>(NAME, word);
            kinds.push(match words[..] {
                ["image", order, data_type, element_size] => {
                    known.push(KnownArgument::Image {
                        channel_order: number(order)?,
                        channel_data_type: number(data_type)?,
                        element_size: number(element_size)?,
                    });
                    ArgumentKind::Image
                }
                ["sampler", bits] => {
                    known.push(KnownArgument::Sampler(number(bits)?.into()));
                    ArgumentKind::Sampler
                }
                ["other"] => ArgumentKind::Value,
                _ => return Err(wrong(NAME, format!("`{argument}` is no argument"))),
            });
        }
        Ok((kinds, known))
    }
}

fn wrong(name: &'static str, reason: impl Display) -> PassError {
    PassError::Setting {
        setting: name.trim_end_matches([':', ' ']),
        reason: reason.to_string(),
    }
}

fn parse<T: FromStr<Err: Display>>(name: &'static str, text: &str) -> Result<T, PassError> {
    let parsed = text.trim().parse();
    parsed.map_err(|error| wrong(name, format!("`{text}`: {error}")))
}

impl<'c> Input<'c> {
    /// Reads a module and its settings.
    pub fn read(context: &'c Context, text: &str) -> Result<Self, PassError> {
        let (text, _) = text.split_once(DIVIDER).unwrap_or((text, ""));
        let module = context
            .parse_ir(text)
            .map_err(|error| PassError::Unreadable(error.trim_end().to_owned()))?;
        let machine = target::machine(true);
        module.set_triple(&machine.get_triple());
        module.set_layout(&machine.get_target_data().get_data_layout());
        module
            .verify()
            .map_err(|message| PassError::InvalidInput(message.trim_end().to_owned()))?;
        let settings = Settings(text);
        let optimise = !settings.has("unoptimised");
        if !optimise {
            module.mark(DO_NOT_OPTIMISE);
        }
        let (arguments, images) = settings.arguments()?;
        let most_lanes = settings.number("lanes by cost: ")?;
        let lanes = settings.number("lanes: ")?;
        Ok(Self {
            module,
            specialisation: Specialisation {
                local_size: settings.local_size()?,
                small_launch: !settings.has("large grid"),
                without_offset: settings.has("without offset"),
                images,
                separate_objects: settings.has("separate objects"),
                large_output: true,
                timed: None,
                checks: Checks::empty(),
            },
            arguments,
            optimise,
            first_host: settings.has("first host"),
            lanes: most_lanes.or(lanes).unwrap_or(4),
            by_cost: most_lanes.is_some(),
            layout: CodeStackLayout {
                stack_percent: settings.number("stack: ")?.unwrap_or(20),
                code: match settings.has("code in GSM") {
                    true => CodeMemory::Gsm,
                    false => CodeMemory::Ddr,
                },
            },
            group_slot: settings.number("group slot: ")?.unwrap_or(0),
        })
    }

    /// The function that passes work on: `k`, or else the only kernel. Its blocks get names.
    pub fn kernel(&self) -> Result<Value, PassError> {
        let module = self.module.handle();
        let kernel = ir::function(module, KERNEL).or_else(|| {
            let mut kernels = ir::functions(module);
            kernels.retain(|function| interface::is_kernel(*function));
            match kernels[..] {
                [only] => Some(only),
                _ => None,
            }
        });
        let kernel = kernel.ok_or(PassError::NoKernel)?;
        report::name_blocks(kernel);
        Ok(kernel)
    }

    /// Runs passes of LLVM.
    pub fn run_passes(&self, passes: &str) -> Result<(), PassError> {
        Ok(shim::run_passes(
            &self.module,
            passes,
            &target::machine(false),
        )?)
    }

    /// The module as it is now, without the lines that are the same for all modules.
    pub fn text(&self) -> Output {
        self.module
            .verify()
            .map_err(|message| PassError::InvalidOutput(message.trim_end().to_owned()))?;
        let text = self.module.text();
        let is_ours = |line: &&str| {
            !["; ModuleID", "source_filename", "target "]
                .iter()
                .any(|start| line.starts_with(start))
        };
        let lines: Vec<&str> = text.lines().filter(is_ours).collect();
        Ok(format!("{}\n", lines.join("\n").trim()))
    }

    /// Facts as comments, then the module.
    pub fn text_with(&self, facts: &str) -> Output {
        let facts = comments(facts);
        let text = self.text()?;
        Ok(match (facts.is_empty(), text.is_empty()) {
            (false, false) => format!("{facts}\n{text}"),
            _ => facts + &text,
        })
    }
}

/// Lines as comments of LLVM IR.
pub fn comments(facts: &str) -> String {
    let mut text = String::new();
    for line in facts.lines() {
        text.push_str(format!("; {line}").trim_end());
        text.push('\n');
    }
    text
}
