//! Files and folders that variables name.
//!
//! A path is resolved once, from the descriptor of one folder to the next. It may contain symbolic
//! links of this user and of root, but not of another user, who could otherwise decide what this
//! process reads or writes. Afterwards only descriptors are used, also for queries of a file.

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};
use std::time::{Duration, SystemTime};

/// Maximum number of symbolic links in a path, as on Linux (path_resolution(7)).
const MAX_LINKS: usize = 40;

/// A folder that is open. Files in it are named without a path.
#[derive(Debug)]
pub struct Folder {
    descriptor: OwnedFd,
    identity: (u64, u64),
}

/// A file in a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Its modification time.
    pub modified: SystemTime,
    /// Bytes.
    pub size: u64,
    /// Its name.
    pub name: OsString,
}

impl Folder {
    /// Opens a folder. If it is not there it is made, with its parents; `mode` is the
    /// permissions of those that are made, which the process's mask restricts.
    ///
    /// # Errors
    /// It cannot be opened or made, is no folder, or the path leads through a symbolic link of
    /// another user's.
    pub fn open(path: &Path, mode: u32) -> io::Result<Self> {
        let mode = Mode::from_raw_mode(mode);
        let (parent, name) = locate(path, Some(mode))?;
        make_folder(&parent, &name, mode)?;
        Self::open_in(&parent, &name)
    }

    fn open_in(parent: &OwnedFd, name: &OsStr) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let descriptor = rustix::fs::openat(parent, name, flags, Mode::empty())?;
        let identity = identity(&rustix::fs::fstat(&descriptor)?);
        Ok(Self {
            descriptor,
            identity,
        })
    }

    /// The folder itself. Programs that become daemons close all descriptors and open others.
    fn descriptor(&self) -> io::Result<BorrowedFd<'_>> {
        match rustix::fs::fstat(&self.descriptor) {
            Ok(stat) if identity(&stat) == self.identity => Ok(self.descriptor.as_fd()),
            _ => Err(io::Error::other(
                "the program has closed the folder's descriptor",
            )),
        }
    }

    /// Checks that only this user can create files in the folder.
    ///
    /// # Errors
    /// Another user can.
    pub fn check_private(&self) -> io::Result<()> {
        let stat = rustix::fs::fstat(self.descriptor()?)?;
        if stat.st_uid != user() {
            return Err(denied("the folder belongs to another user"));
        }
        if stat.st_mode & 0o022 != 0 {
            return Err(denied("others may write to the folder"));
        }
        Ok(())
    }

    /// Makes a folder in this one, which must not be there.
    ///
    /// # Errors
    /// The file system's; something with that name is there.
    pub fn create_folder(&self, name: &OsStr, mode: u32) -> io::Result<Self> {
        let here = self.descriptor()?;
        rustix::fs::mkdirat(here, name, Mode::from_raw_mode(mode))?;
        let made = Self::open_in(&here.try_clone_to_owned()?, name)?;
        match rustix::fs::fstat(&made.descriptor)?.st_uid == user() {
            true => Ok(made),
            false => Err(denied("another user has replaced the folder")),
        }
    }

    /// Opens a file of this user's for reading.
    ///
    /// # Errors
    /// There is none, or it is no regular file, or another user owns it or may write to it.
    pub fn read(&self, name: &OsStr) -> io::Result<File> {
        self.own(name, OFlags::RDONLY, 0)
    }

    /// Opens a file of this user's for writing at its end. If it is not there it is made.
    ///
    /// # Errors
    /// The file system's; it is no regular file, or another user owns it or may write to it.
    pub fn append(&self, name: &OsStr, mode: u32) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE;
        self.own(name, flags, mode)
    }

    /// Makes a file, which must not be there.
    ///
    /// # Errors
    /// The file system's; something with that name is there ([`ErrorKind::AlreadyExists`]).
    pub fn create_new(&self, name: &OsStr, mode: u32) -> io::Result<File> {
        self.own(
            name,
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL,
            mode & !0o022,
        )
    }

    fn own(&self, name: &OsStr, flags: OFlags, mode: u32) -> io::Result<File> {
        // Nothing that could block is opened.
        let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
        let mode = Mode::from_raw_mode(mode);
        let file: File = rustix::fs::openat(self.descriptor()?, name, flags, mode)?.into();
        let stat = rustix::fs::fstat(&file)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(not_regular());
        }
        if stat.st_uid != user() {
            return Err(denied("the file belongs to another user"));
        }
        if stat.st_mode & 0o022 != 0 {
            return Err(denied("others may write to the file"));
        }
        Ok(file)
    }

    /// Gives a file another name, which whatever had that name loses.
    ///
    /// # Errors
    /// The file system's.
    pub fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        let here = self.descriptor()?;
        Ok(rustix::fs::renameat(here, from, here, to)?)
    }

    /// Removes a file.
    ///
    /// # Errors
    /// The file system's.
    pub fn remove(&self, name: &OsStr) -> io::Result<()> {
        let here = self.descriptor()?;
        Ok(rustix::fs::unlinkat(here, name, AtFlags::empty())?)
    }

    /// What is in the folder. Links are not followed.
    ///
    /// # Errors
    /// The file system's.
    pub fn entries(&self) -> io::Result<Vec<Entry>> {
        let here = self.descriptor()?;
        let mut entries = Vec::new();
        for entry in Dir::read_from(here)? {
            let entry = entry?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            // Another process may have removed it.
            let Ok(stat) = rustix::fs::statat(here, name, AtFlags::SYMLINK_NOFOLLOW) else {
                continue;
            };
            let seconds = u64::try_from(stat.st_mtime).unwrap_or(0);
            let since = Duration::new(seconds, stat.st_mtime_nsec as u32);
            entries.push(Entry {
                modified: SystemTime::UNIX_EPOCH + since,
                size: stat.st_size as u64,
                name: name.to_owned(),
            });
        }
        Ok(entries)
    }

    /// Waits until no other process has this lock, and takes it until the file is dropped.
    ///
    /// # Errors
    /// The file system's.
    pub fn lock(&self) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let file: File = rustix::fs::openat(self.descriptor()?, ".", flags, Mode::empty())?.into();
        file.lock()?;
        Ok(file)
    }
}

/// The text of a regular file of at most `limit` bytes.
///
/// # Errors
/// The file system's; it is no regular file, has more bytes, or is no UTF-8.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    // A pipe without a writer must not block.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file: File = rustix::fs::open(path, flags, Mode::empty())?.into();
    if !file.metadata()?.is_file() {
        return Err(not_regular());
    }
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        let sentence = format!("the file is larger than {limit} bytes");
        return Err(io::Error::new(ErrorKind::InvalidData, sentence));
    }
    String::from_utf8(bytes).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
}

/// Opens a regular file or a terminal of this user's for writing at its end. If there is none a
/// file is made.
///
/// # Errors
/// The file system's; it is neither, or another user's; the path leads through a
/// symbolic link of another user's.
pub fn append(path: &Path) -> io::Result<File> {
    let (parent, name) = locate(path, None)?;
    // A pipe without a reader must not block, a terminal must not become the process's own.
    let flags = OFlags::WRONLY
        | OFlags::APPEND
        | OFlags::CREATE
        | OFlags::NOFOLLOW
        | OFlags::CLOEXEC
        | OFlags::NONBLOCK
        | OFlags::NOCTTY;
    let opened = rustix::fs::openat(&parent, &name, flags, Mode::from_raw_mode(0o666));
    let file: File = match opened {
        Ok(file) => file.into(),
        // A pipe without a reader, a socket.
        Err(Errno::NXIO) => return Err(neither_file_nor_terminal()),
        Err(error) => return Err(error.into()),
    };
    let stat = rustix::fs::fstat(&file)?;
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => {}
        FileType::CharacterDevice if file.is_terminal() => {
            let flags = rustix::fs::fcntl_getfl(&file)?;
            rustix::fs::fcntl_setfl(&file, flags - OFlags::NONBLOCK)?;
        }
        _ => return Err(neither_file_nor_terminal()),
    }
    match stat.st_uid == user() {
        true => Ok(file),
        false => Err(denied("the file belongs to another user")),
    }
}

/// The folder that contains the file at a path, and the file's name in it. The name is never a
/// symbolic link's; the file may be missing. Missing folders of the path are created if `make` has
/// their permissions.
fn locate(path: &Path, make: Option<Mode>) -> io::Result<(OwnedFd, OsString)> {
    let root = || {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        rustix::fs::open("/", flags, Mode::empty())
    };
    let mut here = root()?;
    // The next one is the last.
    let mut names = Vec::new();
    push_names(&mut names, &std::path::absolute(path)?);
    let mut links = 0;
    while let Some(name) = names.pop() {
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let found = match rustix::fs::openat(&here, &name, flags, Mode::empty()) {
            Ok(found) => found,
            Err(Errno::NOENT) if names.is_empty() => return Ok((here, name)),
            Err(error) => {
                let Some(mode) = make.filter(|_| error == Errno::NOENT) else {
                    return Err(error.into());
                };
                make_folder(&here, &name, mode)?;
                rustix::fs::openat(&here, &name, flags, Mode::empty())?
            }
        };
        let stat = rustix::fs::fstat(&found)?;
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::Symlink => {
                if stat.st_uid != user() && stat.st_uid != 0 {
                    return Err(denied("a symbolic link on the path is another user's"));
                }
                links += 1;
                if links > MAX_LINKS {
                    return Err(Errno::LOOP.into());
                }
                let target = rustix::fs::readlinkat(&found, "", Vec::new())?;
                let target = Path::new(OsStr::from_bytes(target.to_bytes()));
                if target.is_absolute() {
                    here = root()?;
                }
                push_names(&mut names, target);
            }
            _ if names.is_empty() => return Ok((here, name)),
            FileType::Directory => here = found,
            _ => return Err(Errno::NOTDIR.into()),
        }
    }
    Ok((here, ".".into()))
}

/// Puts a path's names in front of those that are still to be resolved.
fn push_names(names: &mut Vec<OsString>, path: &Path) {
    for component in path.components().rev() {
        match component {
            Component::Normal(name) => names.push(name.to_owned()),
            Component::ParentDir => names.push("..".into()),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
}

/// Makes a folder if it is not there.
fn make_folder(parent: &OwnedFd, name: &OsStr, mode: Mode) -> io::Result<()> {
    match rustix::fs::mkdirat(parent, name, mode) {
        Ok(()) | Err(Errno::EXIST) => Ok(()),
        // On a read-only file system it may nevertheless exist.
        Err(error) => match rustix::fs::statat(parent, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(_) => Ok(()),
            Err(_) => Err(error.into()),
        },
    }
}

fn identity(stat: &Stat) -> (u64, u64) {
    (stat.st_dev, stat.st_ino)
}

/// The user that this process acts for.
pub fn user() -> u32 {
    // SAFETY: the call only returns a number.
    unsafe { libc::geteuid() }
}

fn denied(sentence: &str) -> io::Error {
    io::Error::new(ErrorKind::PermissionDenied, sentence)
}

fn not_regular() -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, "it is no regular file")
}

fn neither_file_nor_terminal() -> io::Error {
    let sentence = "it is neither a regular file nor a terminal";
    io::Error::new(ErrorKind::InvalidInput, sentence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write;
    use std::os::unix::fs::{PermissionsExt, chown, lchown, symlink};

    const OTHER_USER: u32 = 65534;

    /// Whether tests can create files of another user.
    fn is_root() -> bool {
        user() == 0
    }

    fn pipe(path: &Path) {
        let name = std::ffi::CString::new(path.as_os_str().as_bytes()).unwrap();
        // SAFETY: the name is a string with its end.
        assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
    }

    #[test]
    fn paths_lead_through_ones_own_links() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        fs::create_dir(path("real")).unwrap();
        symlink("real", path("relative")).unwrap();
        symlink(path("relative"), path("absolute")).unwrap();
        symlink("..", path("real/up")).unwrap();
        symlink("endless", path("endless")).unwrap();
        symlink("notes", path("dangling")).unwrap();
        for name in ["real", "relative/", "absolute/up/./real/../relative"] {
            let folder = Folder::open(&path(name).join("a/b"), 0o700).unwrap();
            let file = folder.create_new("file".as_ref(), 0o600);
            file.unwrap().write_all(b"text").unwrap();
            assert_eq!(read_text(&path("real/a/b/file"), 4).unwrap(), "text");
            folder.remove("file".as_ref()).unwrap();
            assert!(folder.entries().unwrap().is_empty());
        }
        append(&path("dangling")).unwrap().write_all(b"1").unwrap();
        append(&path("notes")).unwrap().write_all(b"2").unwrap();
        assert_eq!(fs::read_to_string(path("notes")).unwrap(), "12");
        let endless = Folder::open(&path("endless/a"), 0o700).unwrap_err();
        assert_eq!(endless.raw_os_error(), Some(libc::ELOOP));
        let no_folder = Folder::open(&path("notes"), 0o700).unwrap_err();
        assert_eq!(no_folder.kind(), ErrorKind::NotADirectory);
        assert!(Folder::open(Path::new("/"), 0o700).is_ok());
    }

    #[test]
    fn paths_do_not_lead_through_links_of_other_users() {
        if !is_root() {
            return;
        }
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        fs::create_dir(path("mine")).unwrap();
        fs::write(path("mine/notes"), "").unwrap();
        symlink("mine", path("theirs")).unwrap();
        symlink("mine/notes", path("note")).unwrap();
        for name in ["theirs", "note"] {
            lchown(path(name), Some(OTHER_USER), None).unwrap();
        }
        for name in ["theirs", "theirs/new"] {
            let refused = Folder::open(&path(name), 0o700).unwrap_err();
            assert!(refused.to_string().contains("another user"), "{refused}");
        }
        for name in ["note", "theirs/notes", "theirs/other"] {
            let refused = append(&path(name)).unwrap_err();
            assert!(refused.to_string().contains("another user"), "{refused}");
        }
        assert_eq!(fs::read_dir(path("mine")).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_stays_what_was_opened() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        let folder = Folder::open(&path("folder"), 0o700).unwrap();
        fs::create_dir(path("other")).unwrap();
        fs::rename(path("folder"), path("moved")).unwrap();
        symlink("other", path("folder")).unwrap();
        folder.append("a".as_ref(), 0o600).unwrap();
        folder.rename("a".as_ref(), "b".as_ref()).unwrap();
        folder.create_folder("c".as_ref(), 0o700).unwrap();
        assert_eq!(fs::read_dir(path("other")).unwrap().count(), 0);
        assert_eq!(fs::read_dir(path("moved")).unwrap().count(), 2);
    }

    #[test]
    fn files_in_a_folder_are_regular_and_this_users() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        let folder = Folder::open(place.path(), 0o700).unwrap();
        fs::write(path("target"), "text").unwrap();
        symlink("target", path("link")).unwrap();
        pipe(&path("pipe"));
        fs::create_dir(path("folder")).unwrap();
        fs::write(path("open"), "text").unwrap();
        fs::set_permissions(path("open"), PermissionsExt::from_mode(0o666)).unwrap();
        let mut refused = vec!["link", "pipe", "folder", "open"];
        if is_root() {
            fs::write(path("foreign"), "text").unwrap();
            chown(path("foreign"), Some(OTHER_USER), None).unwrap();
            refused.push("foreign");
        }
        for name in refused {
            assert!(folder.read(name.as_ref()).is_err(), "{name}");
            assert!(folder.append(name.as_ref(), 0o600).is_err(), "{name}");
            let there = folder.create_new(name.as_ref(), 0o600).unwrap_err();
            assert_eq!(there.kind(), ErrorKind::AlreadyExists, "{name}");
        }
        folder.read("target".as_ref()).unwrap();
    }

    #[test]
    fn texts_are_those_of_regular_files_of_sane_size() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        fs::write(path("text"), "12345678").unwrap();
        assert_eq!(read_text(&path("text"), 8).unwrap(), "12345678");
        let large = read_text(&path("text"), 7).unwrap_err();
        assert!(large.to_string().contains("larger than 7 bytes"), "{large}");
        pipe(&path("pipe"));
        for other in [&path("pipe"), Path::new("/dev/zero"), place.path()] {
            let refused = read_text(other, 8).unwrap_err();
            assert!(refused.to_string().contains("no regular file"), "{refused}");
        }
        fs::write(path("text"), b"\xff").unwrap();
        assert!(read_text(&path("text"), 8).is_err());
    }

    #[test]
    fn lines_are_appended_to_no_device_and_no_pipe() {
        let place = tempfile::tempdir().unwrap();
        let lonely = place.path().join("lonely");
        pipe(&lonely);
        let read = place.path().join("read");
        pipe(&read);
        let _reader = File::options().read(true).write(true).open(&read).unwrap();
        for other in [
            &lonely,
            &read,
            Path::new("/dev/null"),
            Path::new("/dev/full"),
        ] {
            let refused = append(other).unwrap_err();
            assert!(refused.to_string().contains("terminal"), "{refused}");
        }
        assert!(append(place.path()).is_err());
    }

    #[test]
    fn another_file_under_the_folders_descriptor_is_not_the_folder() {
        let place = tempfile::tempdir().unwrap();
        let [first, second] = ["first", "second"].map(|name| place.path().join(name));
        let folder = Folder::open(&first, 0o700).unwrap();
        let other = Folder::open(&second, 0o700).unwrap();
        // As after a daemon closed its descriptors: the number denotes another file.
        let replaced = Folder {
            descriptor: other.descriptor,
            identity: folder.identity,
        };
        assert!(replaced.create_new("file".as_ref(), 0o600).is_err());
        assert_eq!(fs::read_dir(&second).unwrap().count(), 0);
    }
}
