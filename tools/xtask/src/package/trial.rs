//! Tests packages in separate folders, with the commands of their users.

use super::{folder, fresh};
use crate::install::{self, files, layout::Layout};
use crate::{command, python};
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Variables that select OpenCL platforms or libraries. Tests run without them.
const VARIABLES: &[&str] = &[
    "OCL_ICD_VENDORS",
    "OCL_ICD_FILENAMES",
    "OPENCL_VENDOR_PATH",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
];

/// A folder name with characters that shells, loaders and the linker may mishandle.
const ODD: &str = "trial prefix, größer 'als $x'";

/// Tests that an installation below a private prefix works with the printed `export` lines, and
/// that uninstalling leaves nothing.
///
/// # Errors
/// A command fails, or a file remains.
pub fn prefix() -> Result<()> {
    let above = folder().join("trial-prefix");
    fresh(&above)?;
    let layout = Layout::new(&above.join(ODD), None)?;
    install::put(&files::all(&layout)?, &layout)?;
    let vendors = format!("{}/", layout.vendors().display());
    programs(&layout.programs(), Path::new(&vendors))?;
    counters(&layout, Path::new(&vendors))?;
    blas(&layout, Path::new(&vendors))?;
    hthreads(&layout)?;
    machines(&layout)?;
    manual(&layout)?;
    let lines = install::exports(&layout);
    let mut shell = Command::new("sh");
    shell.args(["-c", "eval \"$0\" && exec mocl3 doctor", &lines]);
    succeeds(clean(&mut shell))?;
    install::remove(&layout)?;
    let left = fs::read_dir(&above)?.count();
    ensure!(
        left == 0,
        "{} is not empty after uninstalling",
        above.display()
    );
    println!("a private prefix works, and is empty again");
    Ok(())
}

/// Tests the unpacked Debian package: its dependencies, `.icd` file and programs.
///
/// # Errors
/// A dependency or file is missing, or a program fails.
pub fn deb(package: &Path) -> Result<()> {
    let tree = folder().join("trial-deb");
    fresh(&tree)?;
    command::run(Command::new("dpkg-deb").arg("-x").arg(package).arg(&tree))?;
    let layout = Layout::new(Path::new("/usr"), Some(tree.clone()))?;
    let icd = fs::read_to_string(layout.staged(&layout.icd()))?;
    let named = Path::new(icd.trim_end());
    ensure!(
        named.is_absolute() && layout.staged(named).is_file(),
        "the .icd file names {icd}"
    );
    let field = |name: &str| -> Result<String> {
        let output = command::output(Command::new("dpkg-deb").arg("-f").arg(package).arg(name))?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let depends = field("Depends")?;
    for needed in [
        "libllvm22",
        "libclang-cpp22",
        "libc6",
        "libstdc++6",
        "ocl-icd-libopencl1",
    ] {
        ensure!(depends.contains(needed), "{needed} is not in `{depends}`");
    }
    let control = folder().join("trial-control");
    fresh(&control)?;
    command::run(
        Command::new("dpkg-deb")
            .arg("-e")
            .arg(package)
            .arg(&control),
    )?;
    let conffiles = fs::read_to_string(control.join("conffiles")).context("no conffiles")?;
    ensure!(
        conffiles
            .lines()
            .any(|line| Path::new(line) == layout.icd()),
        "the .icd file is no conffile"
    );
    // The .icd file's path is not valid in the unpacked tree; ocl-icd also accepts a library.
    programs(&layout.staged(&layout.programs()), &layout.staged(named))?;
    counters(&layout, &layout.staged(named))?;
    blas(&layout, &layout.staged(named))?;
    hthreads(&layout)?;
    machines(&layout)?;
    manual(&layout)?;
    println!("the Debian package works; it depends on {}", depends.trim());
    Ok(())
}

/// Tests the wheel in a new environment with PyOpenCL from PyPI.
///
/// # Errors
/// It cannot be installed, or PyOpenCL does not use it.
pub fn wheel(package: &Path) -> Result<()> {
    let environment = folder().join("trial-wheel");
    fresh(&environment)?;
    command::run(
        Command::new("python3")
            .args(["-m", "venv"])
            .arg(&environment),
    )?;
    let mut pip = python::pip(&environment);
    pip.args(["install", "--quiet", "numpy", "pyopencl"])
        .arg(package);
    command::run(&mut pip)?;
    let program = folder().join("trial.py");
    fs::write(&program, include_str!("trial.py"))?;
    let mut python = Command::new(environment.join("bin/python"));
    python.arg(&program).env("PYOPENCL_NO_CACHE", "1");
    // Other platforms of the system may load another LLVM.
    let none = folder().join("trial-no-vendors");
    fresh(&none)?;
    command::run(clean(&mut python).env("OCL_ICD_VENDORS", none))?;
    println!("the wheel works with PyOpenCL's own loader");
    wheel_commands(&environment, &program)?;
    let mut module = Command::new(environment.join("bin/python"));
    let printed = command::output(module.args(["-m", "mocl3"]))?;
    ensure!(
        printed.status.success(),
        "python -m mocl3 ended with {}",
        printed.status
    );
    let mut shell = Command::new("sh");
    shell.args(["-c", "eval \"$0\"; exec clinfo -l"]);
    shell.arg(String::from_utf8(printed.stdout)?);
    let shown = command::output(clean(&mut shell))?;
    let shown = String::from_utf8_lossy(&shown.stdout);
    ensure!(shown.contains("MOCL3"), "clinfo sees only: {shown}");
    println!("and with the system's, as `python -m mocl3` prints");
    // The environment has several hundred megabytes.
    fs::remove_dir_all(environment)?;
    Ok(())
}

/// Tests the wheel's command and module with a program.
fn wheel_commands(environment: &Path, program: &Path) -> Result<()> {
    let bin = environment.join("bin");
    let mut version = Command::new(bin.join("mocl3"));
    let printed = command::output(version.arg("--version"))?;
    let expected = concat!("mocl3 ", env!("CARGO_PKG_VERSION"), "\n");
    ensure!(
        printed.stdout == expected.as_bytes(),
        "`mocl3 --version` printed {printed:?}"
    );
    let script = "import mocl3, sys\n\
                  assert mocl3.__version__ == sys.argv[2], mocl3.__version__\n\
                  [kernel] = mocl3.stat(sys.executable, sys.argv[1]).kernels()\n\
                  assert kernel['name'] == 'reverse' and kernel['cycles'] > 0, kernel\n";
    let mut python = Command::new(bin.join("python"));
    python.args(["-c", script]).arg(program);
    python
        .arg(env!("CARGO_PKG_VERSION"))
        .env("PYOPENCL_NO_CACHE", "1");
    succeeds(clean(&mut python))?;
    let mut machines = Command::new(bin.join("mocl3"));
    succeeds(machines.args(["machine", "check", "fast-memory"]))?;
    println!("its command profiles programs, and its module reads the profile");
    Ok(())
}

/// Tests the commands in `bin` on the platform that `vendors` names.
fn programs(bin: &Path, vendors: &Path) -> Result<()> {
    let mut doctor = Command::new(bin.join("mocl3"));
    doctor.arg("doctor");
    let mut suite = Command::new(bin.join("mocl3"));
    suite.args(["conformance", "--filter", "matrix_product"]);
    let mut compile = Command::new(bin.join("mocl3"));
    let kernel = crate::platform::root().join("examples/dgemm/dgemm.cl");
    compile.arg("compile").arg(kernel);
    compile.args(["--", "-DBLOCK=64", "-DDEPTH=32", "-DROWS=4"]);
    for program in [&mut doctor, &mut suite, &mut compile] {
        succeeds(clean(program).env("OCL_ICD_VENDORS", vendors))?;
    }
    Ok(())
}

/// Tests that the installed machine files are those that the installed command lists.
fn machines(layout: &Layout) -> Result<()> {
    let mocl3 = layout.staged(&layout.programs()).join("mocl3");
    for file in files::machines()? {
        let name = file.file_name().context("a file has a name")?;
        let mut check = Command::new(&mocl3);
        check.args(["machine", "check"]);
        succeeds(check.arg(layout.staged(&layout.machines()).join(name)))?;
        let stem = file.file_stem().context("a file has a name")?;
        let mut check = Command::new(&mocl3);
        succeeds(check.args(["machine", "check"]).arg(stem))?;
    }
    Ok(())
}

/// Tests that the completions are where shells look, and that `man` prints the pages of the
/// commands, if it is installed.
fn manual(layout: &Layout) -> Result<()> {
    for (folder, file) in [
        (layout.bash_completions(), "mocl3"),
        (layout.bash_completions(), "mocl3-conformance"),
        (layout.zsh_completions(), "_mocl3"),
        (layout.fish_completions(), "mocl3.fish"),
    ] {
        let path = layout.staged(&folder.join(file));
        ensure!(path.is_file(), "{} is missing", path.display());
    }
    let pages = layout.staged(&layout.manual());
    for page in ["mocl3", "mocl3-stat", "mocl3-compile", "mocl3-conformance"] {
        let find = |name: String| Some(pages.join(name)).filter(|path| path.is_file());
        // Packages have them compressed.
        let path = find(format!("{page}.1")).or_else(|| find(format!("{page}.1.gz")));
        let path = path.with_context(|| format!("{page} has no manual page"))?;
        let is_installed = Command::new("man").arg("--version").output().is_ok();
        if is_installed {
            succeeds(Command::new("man").arg("--local-file").arg(path))?;
        }
    }
    Ok(())
}

/// Tests that the extension's header compiles as C and C++ of all standards, and that a program
/// compiled with it reads counters and can be profiled with `mocl3`.
fn counters(layout: &Layout, vendors: &Path) -> Result<()> {
    let made = folder().join("trial-counters");
    fresh(&made)?;
    let headers = layout.staged(&layout.headers());
    ensure!(
        headers.join("CL/cl_mocl3.h").is_file(),
        "{} has no CL/cl_mocl3.h",
        headers.display()
    );
    let source = made.join("header.c");
    fs::write(&source, "#include <CL/cl_mocl3.h>\n")?;
    for (language, standard) in [
        ("c", "c89"),
        ("c", "c99"),
        ("c", "c17"),
        ("c++", "c++98"),
        ("c++", "c++17"),
    ] {
        let mut compiler = Command::new("cc");
        compiler.args(["-fsyntax-only", "-Wall", "-Wextra", "-pedantic", "-Werror"]);
        compiler.arg("-DCL_TARGET_OPENCL_VERSION=120").arg("-I");
        compiler.arg(&headers).args(["-x", language]);
        succeeds(compiler.arg(format!("-std={standard}")).arg(&source))?;
    }
    let program = made.join("counters");
    let mut compiler = Command::new("cc");
    compiler.arg("-I").arg(&headers).arg("-o").arg(&program);
    compiler.arg(crate::platform::root().join("icd/tests/programs/counters.c"));
    succeeds(compiler.arg("-lOpenCL"))?;
    let mut run = Command::new(&program);
    let output = command::output(clean(&mut run).env("OCL_ICD_VENDORS", vendors))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let mut lines = printed.lines();
    let cycles = lines.find_map(|line| line.strip_prefix("value "));
    ensure!(
        cycles.is_some_and(|cycles| cycles.parse().is_ok_and(|cycles: u64| cycles > 0)),
        "{} printed no cycles: {printed}{}",
        program.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    let mocl3 = layout.staged(&layout.programs()).join("mocl3");
    for (task, file) in [
        ("stat", "stat.txt"),
        ("trace", "trace.json"),
        ("report", "report.html"),
    ] {
        let file = made.join(file);
        let mut command = Command::new(&mocl3);
        command
            .arg(task)
            .arg("-o")
            .arg(&file)
            .arg("--")
            .arg(&program);
        succeeds(clean(&mut command).env("OCL_ICD_VENDORS", vendors))?;
        let text = fs::read_to_string(&file)?;
        ensure!(text.contains("spin"), "{} lacks the kernel", file.display());
    }
    Ok(())
}

/// Tests that a program which is compiled with the installed `cblas.h` computes on the platform.
fn blas(layout: &Layout, vendors: &Path) -> Result<()> {
    let made = folder().join("trial-blas");
    fresh(&made)?;
    let (source, program) = (made.join("blas.c"), made.join("blas"));
    let text = "#include <cblas.h>\n\
                int main(void)\n\
                {\n    double x[] = {1, 2, 3};\n    return cblas_ddot(3, x, 1, x, 1) != 14;\n}\n";
    fs::write(&source, text)?;
    let library = layout.staged(&layout.library());
    let libraries = library.parent().context("a library is in a folder")?;
    let mut compiler = Command::new("cc");
    compiler
        .arg("-I")
        .arg(layout.staged(&layout.headers()).join("mocl3"));
    compiler.arg("-o").arg(&program).arg(&source);
    succeeds(compiler.arg("-L").arg(libraries).arg("-lmocl3_cblas"))?;
    let mut run = Command::new(&program);
    clean(&mut run).env("OCL_ICD_VENDORS", vendors);
    succeeds(run.env("LD_LIBRARY_PATH", libraries))
}

/// Tests that the installed toolchain builds the example for hthreads, and that this runs.
fn hthreads(layout: &Layout) -> Result<()> {
    let made = folder().join("trial-hthreads");
    fresh(&made)?;
    let tree = made.join("mt3000");
    let compiler = layout.staged(&layout.programs()).join("m3cc");
    let mut command = Command::new(compiler);
    succeeds(clean(&mut command).arg("--make-tree").arg(&tree))?;
    for file in ["Makefile", "vadd.c", "vadd_kernel.c"] {
        let example = crate::platform::root().join("examples/hthreads").join(file);
        fs::copy(example, made.join(file))?;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let tools = std::iter::once(tree.join("dsp_compiler/bin"));
    let path = std::env::join_paths(tools.chain(std::env::split_paths(&path)))?;
    let mut make = Command::new("make");
    clean(&mut make).arg("-C").arg(&made).arg("run");
    succeeds(make.env("PATH", path))
}

/// Runs a program, and shows what it printed if it fails.
fn succeeds(program: &mut Command) -> Result<()> {
    let output = command::output(program)?;
    if !output.status.success() {
        bail!(
            "{program:?} ended with {}:\n{}{}",
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(())
}

fn clean(program: &mut Command) -> &mut Command {
    for variable in VARIABLES {
        program.env_remove(variable);
    }
    program
}
