//! Programs: building, compiling and linking them.

use super::Session;
use anyhow::{Context as _, Result, bail};
use opencl3::kernel::{Kernel, create_kernel};
use opencl3::program::{
    CL_PROGRAM_BINARIES, CL_PROGRAM_BUILD_LOG, build_program, compile_program,
    create_program_with_binary, create_program_with_source, get_program_build_info,
    get_program_info, link_program, release_program,
};
use opencl3::types::cl_program;
use std::ffi::CString;
use std::ptr::null_mut;

/// A program object.
pub struct Program(cl_program);

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: this is the only owner.
        unsafe { release_program(self.0) }.expect("clReleaseProgram");
    }
}

impl Program {
    /// The handle, for calls that this module lacks.
    pub fn get(&self) -> cl_program {
        self.0
    }

    /// The program's binary for the context's first device.
    ///
    /// # Errors
    /// `clGetProgramInfo`'s.
    pub fn binary(&self) -> Result<Vec<u8>> {
        let binaries: Vec<Vec<u8>> = get_program_info(self.0, CL_PROGRAM_BINARIES)
            .map_err(opencl3::error_codes::ClError)
            .context("CL_PROGRAM_BINARIES")?
            .into();
        binaries
            .into_iter()
            .next()
            .context("the program has no devices")
    }

    /// The kernel `name`.
    ///
    /// # Errors
    /// `clCreateKernel`'s.
    pub fn kernel(&self, name: &str) -> Result<Kernel> {
        let name = CString::new(name)?;
        let kernel = create_kernel(self.0, &name)
            .map_err(opencl3::error_codes::ClError)
            .with_context(|| format!("kernel {name:?}"))?;
        Ok(Kernel::new(kernel))
    }
}

impl Session {
    /// A program object with source, not built.
    ///
    /// # Errors
    /// `clCreateProgramWithSource`'s.
    pub fn source(&self, source: &str) -> Result<Program> {
        self.show_source(source)?;
        let program = create_program_with_source(self.context.get(), &[source])
            .map_err(opencl3::error_codes::ClError)?;
        Ok(Program(program))
    }

    /// A program built from source.
    ///
    /// # Errors
    /// The build fails; the error has the build log.
    pub fn program(&self, source: &str, options: &str) -> Result<Program> {
        let program = self.source(source)?;
        let options = self.with_options(options)?;
        let built = build_program(
            program.0,
            self.context.devices(),
            &options,
            None,
            null_mut(),
        );
        self.check("clBuildProgram", &program, built)?;
        Ok(program)
    }

    /// A program built from its binary for this session's device.
    ///
    /// # Errors
    /// `clCreateProgramWithBinary`'s, or the build log.
    pub fn program_from_binary(&self, binary: &[u8]) -> Result<Program> {
        // SAFETY: device and binary are valid during the call.
        let program = unsafe {
            create_program_with_binary(self.context.get(), &[self.device.id()], &[binary])
        };
        let program = Program(
            program
                .map_err(opencl3::error_codes::ClError)
                .context("clCreateProgramWithBinary")?,
        );
        let built = build_program(program.0, &[self.device.id()], c"", None, null_mut());
        self.check("clBuildProgram", &program, built)?;
        Ok(program)
    }

    /// `clCompileProgram` with one header that the source includes by its name. (cl3 0.13 passes
    /// several header names wrongly.)
    ///
    /// # Errors
    /// The compilation fails; the error has the build log.
    pub fn compile(&self, source: &str, options: &str, header: (&str, &str)) -> Result<Program> {
        let program = self.source(source)?;
        let options = self.with_options(options)?;
        let name = CString::new(header.0)?;
        let header = self.source(header.1)?;
        let compiled = compile_program(
            program.0,
            self.context.devices(),
            &options,
            &[header.0],
            &[&name],
            None,
            null_mut(),
        );
        self.check("clCompileProgram", &program, compiled)?;
        Ok(program)
    }

    /// `clLinkProgram`.
    ///
    /// # Errors
    /// The code that the call returned.
    pub fn link(&self, programs: &[&Program], options: &str) -> Result<Program> {
        let options = CString::new(options)?;
        let programs: Vec<cl_program> = programs.iter().map(|program| program.0).collect();
        // SAFETY: the device is the context's.
        let linked = unsafe {
            link_program(
                self.context.get(),
                self.context.devices(),
                &options,
                &programs,
                None,
                null_mut(),
            )
        };
        let linked = linked
            .map_err(opencl3::error_codes::ClError)
            .context("clLinkProgram")?;
        Ok(Program(linked))
    }

    /// Build options of a program, followed by those of the run.
    ///
    /// # Errors
    /// The options contain NUL.
    pub fn with_options(&self, options: &str) -> Result<CString> {
        Ok(CString::new(format!(
            "{options} {}",
            self.settings.options
        ))?)
    }

    fn check(&self, call: &str, program: &Program, result: Result<(), i32>) -> Result<()> {
        let Err(code) = result else { return Ok(()) };
        let log = get_program_build_info(program.0, self.device.id(), CL_PROGRAM_BUILD_LOG)
            .map_or_else(|_| "no build log".to_owned(), String::from);
        bail!("{call} returned {code}: {}", log.trim());
    }
}
