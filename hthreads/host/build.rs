//! Link arguments of `libhthread_host.so`.

fn main() {
    // Schedulers may run until the process ends; the code must stay mapped.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    println!("cargo:rerun-if-changed=build.rs");
}
