//! The list of all clients.

use super::client::Client;
use super::{
    clblast, debian, examples, ffmpeg, headers, lammps, opencv, piglit, pyopencl, python_packages,
    rust,
};

/// Every client.
pub fn all() -> impl Iterator<Item = &'static Client> {
    [
        examples::CLIENTS,
        debian::CLIENTS,
        pyopencl::CLIENTS,
        clblast::CLIENTS,
        opencv::CLIENTS,
        ffmpeg::CLIENTS,
        piglit::CLIENTS,
        headers::CLIENTS,
        lammps::CLIENTS,
        python_packages::CLIENTS,
        rust::CLIENTS,
    ]
    .into_iter()
    .flatten()
}

#[cfg(test)]
mod tests {
    use super::all;
    use std::collections::HashSet;

    #[test]
    fn no_two_clients_share_a_name() {
        let mut names = HashSet::new();
        for client in all() {
            assert!(names.insert(client.name), "{} is there twice", client.name);
        }
    }
}
