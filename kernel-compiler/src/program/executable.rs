//! A linked program: its kernels' interfaces and, on demand, their native code.

use crate::cache::in_process::{Remembered, Shared};
use crate::debugger;
use crate::failure::{BuildFailure, Cause};
use crate::inspect::dump;
use crate::inspect::remarks::{self, RemarkCollector};
use crate::inspect::stage::{NullObserver, Observer, Stage, TeeObserver, show};
use crate::jit::source_place::{self, SourcePlace};
use crate::pipeline::{self, Input};
use crate::process_end::Use;
use crate::program::launch_predictor::LaunchPredictor;
use crate::program::linked::{Linked, UnitsInput};
use crate::unit::{Origin, Unit, text_of};
use crate::work_group;
use device_sim::timing::cost::KernelCost;
use host_exec::floating_point::DefaultEnvironment;
use once_cell::sync::{Lazy, OnceCell};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::{Arc, Weak};

pub use crate::analysis::addressing::SMALL_OBJECT_BYTES;
pub use crate::kernel::interface::{
    AccessQualifier, AddressQualifier, ArgumentKind, KernelArgument, KernelInterface,
    TypeQualifiers,
};
pub use crate::kernel::resource_use::{PrivateMemoryUse, ResourceUse};
pub use crate::kernel::specialisation::SMALL_GRID;
pub use crate::kernel::specialisation::{
    NormalisedSpecialisation, Specialisation, Timed, TimedPurpose,
};
use crate::m3000_c::Unsupported;
pub use crate::pipeline::{KernelObject, WorkGroupCode};

type CompiledOnce = Arc<OnceCell<Result<Arc<WorkGroupCode>, BuildFailure>>>;

/// A linked program that holds kernels. Cheap to share; thread-safe. Programs of this process
/// that are linked alike are one.
pub struct Executable {
    linked: Linked,
    /// Bitcode of the units it was linked from: while they live, they are not compiled again.
    _units: Vec<Arc<[u8]>>,
    code: Mutex<HashMap<(usize, NormalisedSpecialisation), CompiledOnce>>,
    launch_predictor: Mutex<LaunchPredictor>,
    /// The sources of the units, if dumps are on.
    origins: Vec<Arc<Origin>>,
}

/// By the units that they are linked from.
static OF_UNITS: Lazy<Shared<Weak<Executable>>> = Lazy::new(Shared::new);

/// By what linking makes.
static OF_CONTENT: Lazy<Shared<Weak<Executable>>> = Lazy::new(Shared::new);

impl Remembered for Weak<Executable> {
    type Result = Arc<Executable>;

    fn get(&self) -> Option<Arc<Executable>> {
        self.upgrade()
    }

    fn is_gone(&self) -> bool {
        self.strong_count() == 0
    }
}

impl Executable {
    /// Links units and the builtin library.
    ///
    /// # Errors
    /// Functions used but not defined, by name; symbols defined twice; recursion.
    pub fn link(units: &[&Unit]) -> Result<Arc<Self>, BuildFailure> {
        let _in_use = Use::begin()?;
        let _environment = DefaultEnvironment::begin();
        OF_UNITS.get(&UnitsInput::new(units), || {
            let (linked, origins) = Linked::of_units(units)?;
            let units = units.iter().map(|unit| Arc::clone(&unit.bitcode));
            let made = Self::shared(linked, units.collect(), origins)?;
            let remember = Arc::downgrade(&made);
            Ok((made, Some(remember)))
        })
    }

    /// Whether it is the same program: any code made of one would be made of the other.
    pub fn is_same_as(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || self.linked == other.linked
    }

    /// The executable of this process with that content, or a new one.
    fn shared(
        linked: Linked,
        units: Vec<Arc<[u8]>>,
        origins: Vec<Arc<Origin>>,
    ) -> Result<Arc<Self>, BuildFailure> {
        OF_CONTENT.get(&linked.clone(), || {
            let made = Arc::new(Self {
                linked,
                _units: units,
                code: Mutex::default(),
                launch_predictor: Mutex::default(),
                origins,
            });
            let remember = Arc::downgrade(&made);
            Ok((made, Some(remember)))
        })
    }

    /// Private variables begin as zeros.
    pub fn initialises_private_memory(&self) -> bool {
        self.linked.initialises_private_memory
    }

    /// The kernels, in source order.
    pub fn kernels(&self) -> &[KernelInterface] {
        &self.linked.kernels
    }

    /// The version of kernel number `kernel` that is compiled where `wanted` is needed.
    pub fn normalise(&self, kernel: usize, wanted: Specialisation) -> NormalisedSpecialisation {
        NormalisedSpecialisation::new(wanted, &self.linked.kernels[kernel])
    }

    /// Native code of kernel number `kernel` of `kernels()`; compiled on first use, then kept.
    ///
    /// # Errors
    /// Code generation failed (an error in this compiler).
    pub fn work_group_code(
        &self,
        kernel: usize,
        specialisation: NormalisedSpecialisation,
    ) -> Result<Arc<WorkGroupCode>, BuildFailure> {
        let interface = &self.linked.kernels[kernel];
        let cell = Arc::clone(
            self.code
                .lock()
                .entry((kernel, specialisation.clone()))
                .or_default(),
        );
        let code = cell.get_or_try_init(|| {
            let _in_use = Use::begin()?;
            let _environment = DefaultEnvironment::begin();
            let input = self.input(interface, &specialisation);
            let code = match self.dump(interface, &specialisation) {
                Some(mut folder) => pipeline::code(input, &mut folder),
                None => pipeline::code(input, &mut NullObserver),
            };
            let code = code.and_then(|code| self.complete(kernel, code));
            match code {
                // There may be memory and threads for it later.
                Err(failure) if failure.cause != Cause::Program => Err(failure),
                code => Ok(code.map(Arc::new)),
            }
        });
        code.and_then(|code| code.as_ref().map_err(Clone::clone))
            .cloned()
    }

    /// Adds the code that does the work of a counter slice.
    fn complete(&self, kernel: usize, code: WorkGroupCode) -> Result<WorkGroupCode, BuildFailure> {
        let Some(worker) = code.wanted_worker() else {
            return Ok(code);
        };
        let worker = self.work_group_code(kernel, self.normalise(kernel, worker))?;
        Ok(code.with_worker(worker))
    }

    /// Whether that code has been compiled, so that `work_group_code` returns at once.
    pub fn has_code(&self, kernel: usize, specialisation: &NormalisedSpecialisation) -> bool {
        let code = self.code.lock();
        code.get(&(kernel, specialisation.clone()))
            .is_some_and(|code| code.get().is_some())
    }

    /// Records that kernel number `kernel` has a kernel object.
    pub fn created(&self, kernel: usize) {
        self.launch_predictor.lock().created(kernel);
    }

    /// Records a launch of kernel number `kernel`. Returns numbers and versions of kernels that are
    /// likely to be launched after it, so that they can be compiled in the background. A kernel is
    /// returned once in the executable's lifetime.
    pub fn predict_launches(
        &self,
        kernel: usize,
        specialisation: &NormalisedSpecialisation,
    ) -> Vec<(usize, NormalisedSpecialisation)> {
        // Dumps and remarks show the kernels that are launched, in their order.
        if dump::is_on() || remarks::are_wanted() {
            return Vec::new();
        }
        let kernels = self.kernels();
        self.launch_predictor
            .lock()
            .launch(kernels, kernel, specialisation)
    }

    /// Compiles kernel number `kernel` and shows `observer` the stages from `Stage::Linked` on.
    /// Nothing is cached or loaded.
    ///
    /// # Errors
    /// Code generation failed (an error in this compiler).
    pub fn compile_for_inspection(
        &self,
        kernel: usize,
        specialisation: NormalisedSpecialisation,
        observer: &mut dyn Observer,
    ) -> Result<KernelObject, BuildFailure> {
        let _in_use = Use::begin()?;
        let _environment = DefaultEnvironment::begin();
        let interface = &self.linked.kernels[kernel];
        show(observer, Stage::Linked, || self.text());
        let input = self.input(interface, &specialisation);
        match self.dump(interface, &specialisation) {
            Some(mut folder) => {
                let observer = &mut TeeObserver(&mut folder, observer);
                pipeline::compile_for_inspection(input, observer)
            }
            None => pipeline::compile_for_inspection(input, observer),
        }
    }

    /// Kernel number `kernel` as C of the machine's dialect, for m3cc; the inner error says what has no
    /// counterpart. Nothing is cached, loaded or dumped.
    ///
    /// # Errors
    /// The kernel cannot be compiled (an error in this compiler).
    pub fn m3000_c(
        &self,
        kernel: usize,
        specialisation: &NormalisedSpecialisation,
    ) -> Result<Result<String, Unsupported>, BuildFailure> {
        let _in_use = Use::begin()?;
        let _environment = DefaultEnvironment::begin();
        pipeline::m3000_c(self.input(&self.linked.kernels[kernel], specialisation))
    }

    /// The cost of kernel number `kernel` on the simulated machine; that of no code if `specialisation`
    /// is not for timed code. Nothing is cached, loaded or dumped.
    ///
    /// # Errors
    /// Code generation failed (an error in this compiler).
    pub fn machine_cost(
        &self,
        kernel: usize,
        specialisation: &NormalisedSpecialisation,
    ) -> Result<KernelCost, BuildFailure> {
        let _in_use = Use::begin()?;
        let _environment = DefaultEnvironment::begin();
        let input = self.input(&self.linked.kernels[kernel], specialisation);
        let object = pipeline::compile_for_inspection(input, &mut NullObserver)?;
        Ok(object.cost.unwrap_or_default())
    }

    /// The place in the source of the instruction at an address of `code`. This program is the one
    /// that the code was made of, with line tables; its kernel is compiled for that. None if that
    /// gives other code, or the instruction has no line.
    pub fn source_place(&self, code: &WorkGroupCode, address: usize) -> Option<SourcePlace> {
        let offset = address.checked_sub(code.addresses().start)? as u64;
        let mut kernels = self.kernels().iter();
        let number = kernels.position(|kernel| kernel.name == code.kernel)?;
        let version = self.normalise(number, code.specialisation().clone());
        let object = self.object_with_line_table(number, &version).ok()?;
        source_place::find(&object, work_group::SYMBOL, code.bytes(), offset)
    }

    /// The object file of kernel number `kernel`, with a line table if the program was built with
    /// them.
    ///
    /// # Errors
    /// Code generation failed (an error in this compiler).
    pub(crate) fn object_with_line_table(
        &self,
        kernel: usize,
        specialisation: &NormalisedSpecialisation,
    ) -> Result<Vec<u8>, BuildFailure> {
        let _in_use = Use::begin()?;
        let _environment = DefaultEnvironment::begin();
        let input = Input {
            line_table: true,
            ..self.input(&self.kernels()[kernel], specialisation)
        };
        pipeline::compile_for_inspection(input, &mut NullObserver).map(|compiled| compiled.object)
    }

    fn input<'a>(
        &'a self,
        interface: &'a KernelInterface,
        specialisation: &'a Specialisation,
    ) -> Input<'a> {
        Input {
            bitcode: &self.linked.bitcode,
            interface,
            specialisation,
            line_table: debugger::shows_lines(),
            counter_slice: true,
        }
    }

    /// Remarks on how each kernel is vectorised. Compiles them for the local size that they
    /// require, or else for any.
    pub fn remarks(&self) -> String {
        let _in_use = match Use::begin() {
            Ok(in_use) => in_use,
            Err(failure) => return format!("no remarks: {failure}"),
        };
        let _environment = DefaultEnvironment::begin();
        let mut remarks = RemarkCollector::default();
        for interface in self.kernels() {
            let wanted = Specialisation {
                small_launch: true,
                without_offset: true,
                separate_objects: true,
                ..Specialisation::default()
            };
            let specialisation = NormalisedSpecialisation::new(wanted, interface);
            let input = self.input(interface, &specialisation);
            if let Err(failure) = pipeline::compile_for_inspection(input, &mut remarks) {
                remarks.0.push_str(&format!("no remarks: {failure}\n"));
            }
        }
        remarks.0
    }

    /// The dump folder of this kernel, if there is to be one, with the stages before native
    /// compilation in it.
    fn dump(
        &self,
        interface: &KernelInterface,
        specialisation: &Specialisation,
    ) -> Option<dump::KernelFolder> {
        let mut folder = dump::folder(interface, specialisation)?;
        folder.write_origins(&self.origins);
        folder.see(Stage::Linked, &self.text());
        Some(folder)
    }

    /// LLVM IR of the linked program, as text.
    pub fn text(&self) -> String {
        text_of(&self.linked.bitcode)
    }

    /// The linked program, as LLVM bitcode.
    pub(crate) fn bitcode(&self) -> &[u8] {
        &self.linked.bitcode
    }

    /// A program that was linked before, whose kernels are `kernels`.
    pub(crate) fn of_bitcode(
        bitcode: Vec<u8>,
        kernels: Vec<KernelInterface>,
        initialises_private_memory: bool,
    ) -> Result<Arc<Self>, BuildFailure> {
        let linked = Linked {
            bitcode,
            kernels,
            initialises_private_memory,
        };
        Self::shared(linked, Vec::new(), Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front_end::options::{BuildCall, BuildOptions};
    use crate::program::binary;

    fn unit(source: &str) -> Unit {
        let options = BuildOptions::parse("", BuildCall::Compile).unwrap();
        crate::compile(source, &options, &[]).unwrap()
    }

    const SHARED: &str = "kernel void shared(global int *x) { *x = 1; }";

    #[test]
    fn programs_alike_are_compiled_and_linked_once() {
        let programs: Vec<_> = std::thread::scope(|scope| {
            let link = || Executable::link(&[&unit(SHARED)]).unwrap();
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(link)).collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        let unit = unit(SHARED);
        for program in &programs {
            assert!(Arc::ptr_eq(program, &programs[0]));
            assert!(Arc::ptr_eq(&program._units[0], &unit.bitcode));
        }
        // Another unit that becomes the same program, and the program's own binary.
        let options = BuildOptions::parse("-DUNUSED", BuildCall::Compile).unwrap();
        let other = crate::compile(SHARED, &options, &[]).unwrap();
        assert!(Arc::ptr_eq(
            &Executable::link(&[&other]).unwrap(),
            &programs[0]
        ));
        let binary = programs[0].to_binary(None);
        let (binary::Program::Executable(loaded), _) = binary::read(&binary).unwrap() else {
            panic!("it is no executable");
        };
        assert!(Arc::ptr_eq(&loaded, &programs[0]));
    }
}
