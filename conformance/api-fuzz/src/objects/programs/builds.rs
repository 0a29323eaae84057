//! Building, compiling and linking.

use super::*;

/// The functions that translate a program's source.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Translation {
    /// `clBuildProgram`
    Build,
    /// `clCompileProgram`
    Compile,
}

impl Run {
    pub fn build_program(&mut self) -> Step {
        let wanted = self.pick_unbuilt()?;
        self.build(wanted, Translation::Build)
    }

    pub fn compile_program(&mut self) -> Step {
        let wanted = self.pick_unbuilt()?;
        self.build(wanted, Translation::Compile)
    }

    /// Builds or compiles a program.
    pub fn build(&mut self, wanted: Id, translation: Translation) -> Step {
        let (name, invalid_options) = match translation {
            Translation::Build => ("clBuildProgram", CL_INVALID_BUILD_OPTIONS),
            Translation::Compile => ("clCompileProgram", CL_INVALID_COMPILER_OPTIONS),
        };
        self.begin(name);
        let (program, before) = self.program_argument(Some(wanted));
        let devices = program.map(|program| self.model.program(program).devices.clone());
        let chosen = self.device_list(devices.as_deref(), true);
        let options = self.options(invalid_options);
        if translation == Translation::Compile {
            self.number("num_input_headers", 0u32);
            if self.wrong() {
                self.sizes("input_headers", &[0]);
                self.fault(CL_INVALID_VALUE);
            } else {
                self.null("input_headers");
            }
            self.null("header_include_names");
        }
        let notifies = self.one_in(4);
        let counter = self.notify(callbacks::object as *const () as u64, notifies);
        let mut fails = None;
        if let Some(id) = program {
            fails = self.check_build(id, translation);
            if let Some(code) = fails
                && counter.is_none()
            {
                self.fault(code);
            }
        }
        let refused = self.is_faulty() && counter.is_some();
        let done = self.make(Returns::Status)?;
        let Some(id) = program else {
            return Some(());
        };
        let was_built = done.succeeded || fails == Some(done.code);
        if !was_built {
            return Some(());
        }
        let product = match (fails, translation) {
            (Some(_), _) => Product::None,
            (None, Translation::Compile) => Product::Compiled,
            (None, Translation::Build) => Product::Executable,
        };
        let some_devices = devices.is_some_and(|all| all.len() != chosen.len());
        let was_building = self.model.program(id).building.is_some();
        let uncertain = some_devices || was_building || before == Product::Unknown;
        let product = if uncertain { Product::Unknown } else { product };
        let details = self.model.program_mut(id);
        details.options = if uncertain { None } else { options };
        details.product = product;
        if let Some(counter) = counter.filter(|_| !refused) {
            let text = format!("the callback of a build of Program#{id}");
            self.callbacks.push((counter, 1, text));
            let details = self.model.program_mut(id);
            details.product = Product::Unknown;
            details.building = Some((counter, product));
            self.hold(id);
            if self.one_in(2) {
                return self.wait_for_callback(counter);
            }
        }
        Some(())
    }

    /// Checks the state of a program that is to be built or compiled. Returns the code of a failed
    /// build if its source has an error.
    fn check_build(&mut self, id: Id, translation: Translation) -> Option<i32> {
        self.check_no_kernels(id);
        let details = self.model.program(id);
        let (source, given) = (details.source, details.given);
        if details.building.is_some() {
            self.may(CL_INVALID_OPERATION);
        }
        let compile = translation == Translation::Compile;
        self.fault_if(
            source.is_none() && (compile || given.is_none()),
            CL_INVALID_OPERATION,
        );
        if compile {
            return (source == Some(BROKEN)).then_some(CL_COMPILE_PROGRAM_FAILURE);
        }
        if let Some(given) = given {
            // Compiled binaries are for linking only.
            self.fault_if(given != Product::Executable, CL_INVALID_BINARY);
            return None;
        }
        let wrong = matches!(source, Some(BROKEN | USER));
        wrong.then_some(CL_BUILD_PROGRAM_FAILURE)
    }

    /// Waits until a callback has been called.
    pub fn wait_for_callback(&mut self, counter: Counter) -> Step {
        let start = Instant::now();
        while counter.calls() == 0 {
            if start.elapsed() > PATIENCE {
                return self.fail_call("its callback was not called");
            }
            std::thread::sleep(Duration::from_micros(200));
        }
        Some(())
    }

    pub fn link_program(&mut self) -> Step {
        self.begin("clLinkProgram");
        let compiled = self.pick_where(|object| {
            matches!(&object.details, Details::Program(program)
                if object.is_alive() && matches!(program.product, Product::Compiled | Product::Library))
        });
        if compiled.is_none() && !self.one_in(8) {
            return None;
        }
        let own = compiled.map(|program| self.model.object(program).context);
        let wanted = if self.wrong() { None } else { own };
        let wanted = wanted.or_else(|| self.pick(Kind::Context));
        let context = self.handle("context", &[Kind::Context], wanted);
        let devices = context.map(|context| self.model.context(context).devices.clone());
        let chosen = self.device_list(devices.as_deref(), true);
        let library = self.one_in(4);
        if library {
            self.input("options", b"-create-library\0", "\"-create-library\"");
        } else if self.wrong() {
            self.fault(CL_INVALID_LINKER_OPTIONS);
            self.input("options", b"-no-such-option\0", "\"-no-such-option\"");
        } else {
            self.null("options");
        }
        let wanted = self.choose_link_inputs(compiled, own);
        self.fault_if(wanted.is_empty(), CL_INVALID_VALUE);
        let programs = self.handles(
            ("num_input_programs", "input_programs"),
            &[Kind::Program],
            &wanted,
        );
        let parts = self.check_link_inputs(&programs, context);
        let twice = (1..parts.len()).any(|place| parts[..place].contains(&parts[place]));
        let unresolved = parts.contains(&USER) && !parts.contains(&PART);
        if twice || (unresolved && !library) {
            self.fault(CL_LINK_PROGRAM_FAILURE);
        }
        let notifies = self.one_in(4);
        let counter = self.notify(callbacks::object as *const () as u64, notifies);
        if counter.is_some() {
            // With a callback, a failed link may return a program.
            if twice || unresolved {
                self.leave_open();
            }
        }
        let done = self.make(Returns::Object)?;
        let failed = done.code == CL_LINK_PROGRAM_FAILURE;
        let Some(context) = context.filter(|_| done.pointer != 0) else {
            return Some(());
        };
        if let Some(counter) = counter {
            self.wait_for_callback(counter)?;
            self.callbacks
                .push((counter, 1, "the callback of a link".to_owned()));
        }
        let product = match (failed, library) {
            _ if counter.is_some() && (twice || unresolved) => Product::Unknown,
            (true, _) => Product::None,
            (false, true) => Product::Library,
            (false, false) => Product::Executable,
        };
        let program = Program {
            devices: chosen,
            source: None,
            parts,
            product,
            given: None,
            building: None,
            options: None,
        };
        self.created_program(done.pointer, context, program);
        Some(())
    }

    /// `compiled` and other compiled programs of its context `own`, or wrong ones.
    fn choose_link_inputs(&mut self, compiled: Option<Id>, own: Option<Id>) -> Vec<Id> {
        let mut wanted: Vec<Id> = compiled.into_iter().collect();
        for _ in 0..self.random.below(3) {
            let another = self.pick_where(|object| {
                object.is_alive()
                    && Some(object.context) == own
                    && matches!(&object.details, Details::Program(program)
                        if program.product == Product::Compiled)
            });
            let another = if self.wrong() {
                self.pick(Kind::Program)
            } else {
                another
            };
            wanted.extend(another.filter(|id| !wanted.contains(id)));
        }
        if self.wrong() {
            wanted.clear();
        }
        wanted
    }

    /// Checks the programs that are to be linked. Returns the sources that they were compiled from.
    fn check_link_inputs(&mut self, programs: &[Id], context: Option<Id>) -> Vec<usize> {
        let mut parts = Vec::new();
        for &id in programs {
            self.settle(id);
            let program = self.model.program(id);
            parts.extend(program.parts.iter().copied());
            match program.product {
                Product::Compiled | Product::Library => {}
                // The given binary may be of this kind on another device.
                Product::None if program.given.is_some() => self.leave_open(),
                Product::Unknown => self.leave_open(),
                _ => self.fault(CL_INVALID_OPERATION),
            }
            if context.is_some_and(|context| self.model.object(id).context != context) {
                // The specification does not name a code for this case.
                self.fault(CL_INVALID_OPERATION);
                self.fault(CL_INVALID_CONTEXT);
                self.fault(CL_INVALID_PROGRAM);
            }
            self.hold(id);
        }
        parts
    }
}
