use super::build_state::BuildStatus;
use super::built_in::KernelCode;
use super::program::Program;
use crate::context::Context;
use crate::device::Device;
use crate::device::partition::Partition;
use crate::device::platform::Platform;
use crate::error::Code;
use std::sync::Arc;

const SOURCE: &str = "kernel void f(global int *x) { x[get_global_id(0)] = 1; }";

/// A context with a cluster and four sub-devices of it.
fn context() -> Arc<Context> {
    let root = &Platform::get().devices()[0];
    let mut devices = root.divide(&Partition::Equally(6)).unwrap();
    devices.insert(0, Arc::clone(root));
    Context::new(devices, None).unwrap()
}

/// Asserts that all devices share one executable.
fn assert_shared(program: &Program) {
    let executables = program.state.lock().executables(program.devices());
    assert_eq!(executables.len(), 5);
    let executables: Vec<_> = executables
        .iter()
        .filter_map(|(_, code)| match code {
            KernelCode::Compiled(executable) => Some(executable),
            KernelCode::BuiltIn(_) => None,
        })
        .collect();
    let first = executables[0];
    assert!(executables.iter().all(|other| Arc::ptr_eq(first, other)));
}

#[test]
fn sub_devices_share_the_product() {
    let context = context();
    let program = Program::from_source(&context, SOURCE.into());
    program.build(&[], "", None).unwrap();
    assert_shared(&program);
    // Also when they are built one after another.
    for device in context.devices() {
        program
            .build(std::slice::from_ref(device), "-DN=1", None)
            .unwrap();
    }
    assert_shared(&program);

    let object = Program::from_source(&context, SOURCE.into());
    object.compile(&[], "", &[], None).unwrap();
    let linking = Program::link(&context, &[], "", &[object]).unwrap();
    assert_eq!(linking.inputs.len(), 1);
    let linked = Arc::clone(linking.program());
    linking.run(None).unwrap();
    assert_shared(&linked);

    let binary = linked.binary(&context.devices()[3]);
    let with_binary = |device: &Arc<Device>| (Arc::clone(device), &*binary);
    let binaries: Vec<_> = context.devices().iter().map(with_binary).collect();
    let loaded = Program::from_binaries(&context, &binaries).0.unwrap();
    loaded.build(&[], "", None).unwrap();
    assert_shared(&loaded);
}

#[test]
fn a_sub_device_uses_its_parents_build() {
    let context = context();
    let program = Program::from_source(&context, SOURCE.into());
    let [whole, part] = [&context.devices()[0], &context.devices()[1]];
    let inner = part.divide(&Partition::Equally(2)).unwrap().remove(0);
    assert_eq!(program.build_status(part), BuildStatus::None);
    program
        .build(std::slice::from_ref(whole), "-DN=3", None)
        .unwrap();
    for device in [part, &inner] {
        assert_eq!(program.build_status(device), BuildStatus::Success);
        assert_eq!(program.build_options(device), "-DN=3");
        assert_eq!(program.binary(device), program.binary(whole));
    }
    // Its own build takes precedence, even if it has failed.
    let failure = program.build(std::slice::from_ref(part), "-Df=+", None);
    assert_eq!(failure.unwrap_err().code, Code::BuildProgramFailure);
    assert_eq!(program.build_status(part), BuildStatus::Error);
    assert_eq!(program.build_status(&inner), BuildStatus::Error);
    assert_eq!(program.build_status(whole), BuildStatus::Success);
}
