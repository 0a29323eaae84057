//! Cases that are OpenCL C: a kernel, its arguments, and what its buffers must hold.

use crate::header::Header;
use crate::platform::Platform;
use crate::values::{self, Scalar};
use anyhow::{Context, Result, bail, ensure};
use harness::worker::{Answer, Argument, Request};
use harness::worker_process::{Process, Reply};
use std::process::Command;

/// A parameter of the kernel with its argument.
struct Parameter {
    scalar: Scalar,
    argument: Argument,
}

/// A kernel case, read from its file.
pub struct KernelCase<'t> {
    source: &'t str,
    kernel: &'t str,
    options: Vec<&'t str>,
    environments: Vec<Vec<(&'t str, &'t str)>>,
    parameters: Vec<Parameter>,
    global: Vec<usize>,
    local: Vec<usize>,
    offset: Vec<usize>,
    expectation: Expectation<'t>,
}

enum Expectation<'t> {
    /// The elements of some of the parameters' buffers, by the parameters' indices.
    Elements(Vec<(usize, Vec<u8>)>),
    /// All buffers hold what this kernel of the file leaves in them, run without optimisation
    /// and by one work-item.
    Reference(&'t str),
    /// The build fails, and its log contains this.
    Refused(&'t str),
}

impl<'t> KernelCase<'t> {
    /// Reads a file.
    ///
    /// # Errors
    /// The header is malformed.
    pub fn parse(source: &'t str) -> Result<Self> {
        let header = Header::parse(source)?;
        let parameters: Vec<Parameter> = (header.all("arg").into_iter())
            .map(|line| parameter(line).with_context(|| format!("in `arg: {line}`")))
            .collect::<Result<_>>()?;
        let mut options = header.all("options");
        options.insert(0, "");
        let refused = header.optional("refused")?;
        let sizes = |key| match header.optional(key)? {
            Some(line) => numbers(line),
            None => Ok(Vec::new()),
        };
        let (global, local, mut offset) = (sizes("global")?, sizes("local")?, sizes("offset")?);
        offset.resize(global.len(), 0);
        ensure!(
            refused.is_some() || (!global.is_empty() && global.len() == local.len()),
            "`global:` and `local:` are missing, or differ in their dimensions"
        );
        Ok(Self {
            source,
            kernel: header.optional("kernel")?.unwrap_or_default(),
            options,
            environments: header.environments()?,
            global,
            local,
            offset,
            expectation: match (refused, header.optional("reference")?) {
                (Some(text), _) => Expectation::Refused(text),
                (None, Some(kernel)) => Expectation::Reference(kernel),
                (None, None) => Expectation::Elements(elements(&header, &parameters)?),
            },
            parameters,
        })
    }

    /// Runs the case with each of its options in each of its environments, in processes of the
    /// platform.
    ///
    /// # Errors
    /// The case fails, or no process can be started.
    pub fn run(&self, platform: &Platform<'_>) -> Result<()> {
        let worker = || {
            let mut worker = (platform.worker)();
            worker.envs(platform.variables.iter().copied());
            // Each kernel is built once: the cache would only grow.
            worker.env("MOCL3_CACHE", "0");
            worker
        };
        let expected = match &self.expectation {
            Expectation::Reference(kernel) => self.reference(kernel, &worker)?,
            Expectation::Elements(elements) => elements.clone(),
            Expectation::Refused(_) => Vec::new(),
        };
        for environment in &self.environments {
            let start = || {
                let mut worker = worker();
                worker.envs(environment.iter().copied());
                worker
            };
            let mut process = Process::new(&start);
            for options in &self.options {
                let request = Request {
                    source: self.source.to_owned(),
                    options: format!("{options} {}", platform.options).trim().to_owned(),
                    kernel: self.kernel.to_owned(),
                    arguments: self.arguments(),
                    global: self.global.clone(),
                    local: self.local.clone(),
                    offset: self.offset.clone(),
                };
                let answer = ask(&mut process, &request);
                answer
                    .and_then(|answer| self.judge(answer, &expected))
                    .with_context(|| format!("options `{options}`, environment {environment:?}"))?;
            }
        }
        Ok(())
    }

    fn arguments(&self) -> Vec<Argument> {
        let arguments = self.parameters.iter().map(|parameter| &parameter.argument);
        arguments.cloned().collect()
    }

    /// The parameters that are buffers, by index.
    fn buffers(&self) -> impl Iterator<Item = usize> {
        let parameters = self.parameters.iter().enumerate();
        parameters
            .filter(|(_, parameter)| matches!(parameter.argument, Argument::Buffer(_)))
            .map(|(index, _)| index)
    }

    /// What the reference kernel leaves in the buffers.
    fn reference(
        &self,
        kernel: &str,
        worker: &(dyn Fn() -> Command + Sync),
    ) -> Result<Vec<(usize, Vec<u8>)>> {
        let request = Request {
            source: self.source.to_owned(),
            options: "-cl-opt-disable".to_owned(),
            kernel: kernel.to_owned(),
            arguments: self.arguments(),
            global: vec![1],
            local: vec![1],
            offset: vec![0],
        };
        match ask(&mut Process::new(worker), &request).context("the reference")? {
            Answer::Ran(buffers) => Ok(self.buffers().zip(buffers).collect()),
            Answer::BuildFailed(text) | Answer::Failed(text) => bail!("the reference: {text}"),
        }
    }

    fn judge(&self, answer: Answer, expected: &[(usize, Vec<u8>)]) -> Result<()> {
        match (answer, &self.expectation) {
            (Answer::BuildFailed(log), Expectation::Refused(text)) => {
                ensure!(
                    log.contains(text),
                    "the log does not contain `{text}`:\n{log}"
                );
                Ok(())
            }
            (_, Expectation::Refused(_)) => bail!("the build did not fail"),
            (Answer::BuildFailed(text) | Answer::Failed(text), _) => bail!("{text}"),
            (Answer::Ran(found), _) => {
                let found: Vec<(usize, Vec<u8>)> = self.buffers().zip(found).collect();
                for (index, right) in expected {
                    let buffer = found.iter().find(|(buffer, _)| buffer == index);
                    let (_, bytes) = buffer.context("an expectation is of no buffer")?;
                    let scalar = self.parameters[*index].scalar;
                    if let Some(text) = values::difference(scalar, right, bytes) {
                        bail!("argument {index}: {text}");
                    }
                }
                Ok(())
            }
        }
    }
}

fn ask(process: &mut Process<'_>, request: &Request) -> Result<Answer> {
    match process.ask(request)? {
        Reply::Answered(answer) => Ok(answer),
        Reply::Failed(failure) => bail!("{failure}"),
    }
}

fn numbers(line: &str) -> Result<Vec<usize>> {
    let words = line.split_whitespace();
    let numbers: Result<Vec<usize>, _> = words.map(str::parse).collect();
    numbers.with_context(|| format!("`{line}` is not a list of sizes"))
}

/// `global int[64] = VALUES`, `local int[64]` or `int = VALUE`.
fn parameter(line: &str) -> Result<Parameter> {
    let (declaration, list) = match line.split_once('=') {
        Some((declaration, list)) => (declaration.trim(), list.trim()),
        None => (line, ""),
    };
    let (space, of_type) = match declaration.split_once(' ') {
        Some((space, of_type)) => (space, of_type),
        None => ("", declaration),
    };
    if space.is_empty() {
        let scalar = Scalar::parse(of_type)?;
        let bytes = values::parse(list, scalar)?;
        ensure!(!bytes.is_empty(), "there is no value");
        return Ok(Parameter {
            scalar,
            argument: Argument::Value(bytes),
        });
    }
    let (name, count) = of_type
        .strip_suffix(']')
        .and_then(|of_type| of_type.split_once('['))
        .context("the number of elements is missing")?;
    let scalar = Scalar::parse(name)?;
    let size = count.parse::<usize>()? * scalar.size();
    let argument = match space {
        "global" => {
            let bytes = values::parse(list, scalar)?;
            ensure!(
                bytes.len() == size,
                "{} elements, not {count}",
                bytes.len() / scalar.size()
            );
            Argument::Buffer(bytes)
        }
        "local" => Argument::Local(size),
        _ => bail!("`{space}` is not an address space"),
    };
    Ok(Parameter { scalar, argument })
}

/// The lines `expect: INDEX = VALUES`.
fn elements(header: &Header<'_>, parameters: &[Parameter]) -> Result<Vec<(usize, Vec<u8>)>> {
    let lines = header.all("expect");
    ensure!(!lines.is_empty(), "the header has no expectation");
    let element = |line: &str| {
        let (index, list) = line.split_once('=').context("`=` is missing")?;
        let index: usize = index.trim().parse()?;
        let parameter = parameters.get(index).context("there is no such argument")?;
        let bytes = values::parse(list.trim(), parameter.scalar)?;
        let Argument::Buffer(initial) = &parameter.argument else {
            bail!("argument {index} is not a buffer");
        };
        ensure!(
            bytes.len() <= initial.len() && !bytes.is_empty(),
            "no elements, or more than the buffer has"
        );
        Ok((index, bytes))
    };
    let lines = lines.into_iter();
    lines
        .map(|line| element(line).with_context(|| format!("in `expect: {line}`")))
        .collect()
}
