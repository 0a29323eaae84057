//! The folder of the cache. Many processes use it at once, without locks: an entry
//! appears whole, by renaming, and is never written to again.

use super::entry::Entry;
use super::key::Key;
use environment::files;
use std::ffi::{OsStr, OsString};
use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// Disk block that file sizes are rounded up to, bytes.
const BLOCK: u64 = 4096;

/// Holds one byte for each block that was written since old entries were last removed.
const WRITTEN: &str = ".mocl3-written";

/// What is being written has a name with this in front.
const TEMPORARY: &str = ".mocl3-writing-";

/// A file that is still being written after this time was left by a process that was
/// stopped.
const ABANDONED: Duration = Duration::from_secs(3600);

/// A folder of entries, bounded in size. The path is resolved once, when the folder is opened.
pub struct Folder {
    files: files::Folder,
    bytes: u64,
}

impl Folder {
    /// Opens a folder for at most `bytes` bytes, and makes it if it is not there.
    ///
    /// # Errors
    /// It cannot be made, or other users could put code into it: the reason, as a sentence.
    pub fn open(path: &Path, bytes: u64) -> Result<Self, String> {
        let files = files::Folder::open(path, 0o700)
            .and_then(|files| files.check_private().map(|()| files))
            .map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self { files, bytes })
    }

    /// An entry, if it is there and whole. It counts as used now.
    pub fn read(&self, key: &Key) -> Option<Entry> {
        let mut file = self.files.read(key.to_string().as_ref()).ok()?;
        let metadata = file.metadata().ok()?;
        if metadata.len() > self.bytes {
            return None;
        }
        let mut bytes = Vec::with_capacity(metadata.len() as usize);
        file.read_to_end(&mut bytes).ok()?;
        let entry = Entry::open(key, bytes)?;
        // Where that is not allowed, nothing is removed either.
        let _ = file.set_modified(SystemTime::now());
        Some(entry)
    }

    /// Keeps an entry. One that would take more than a sixteenth of the folder is not
    /// kept.
    ///
    /// # Errors
    /// The file system's.
    pub fn write(&self, key: &Key, payload: &[u8]) -> io::Result<()> {
        let bytes = Entry::seal(key, payload);
        let blocks = (bytes.len() as u64).div_ceil(BLOCK);
        if blocks * BLOCK > self.bytes / 16 {
            return Err(io::Error::other(
                "it is larger than a sixteenth of the cache",
            ));
        }
        let mut temporary = Temporary::create(&self.files)?;
        temporary.file.write_all(&bytes)?;
        // Counted before it is there: if this process is stopped in between, too much
        // is counted and not too little.
        let mut written = self.files.append(WRITTEN.as_ref(), 0o600)?;
        written.write_all(&vec![b'.'; blocks as usize])?;
        temporary.keep_as(key.to_string().as_ref())?;
        if written.metadata()?.len() * BLOCK > self.bytes / 16 {
            self.trim(&written)?;
        }
        Ok(())
    }

    /// Removes what has not been used for longest, until an eighth of the folder is
    /// free: between two calls at most a sixteenth and one entry are written.
    fn trim(&self, written: &File) -> io::Result<()> {
        // One process is enough. Where files cannot be locked, several do no harm.
        if let Err(TryLockError::WouldBlock) = written.try_lock() {
            return Ok(());
        }
        let now = SystemTime::now();
        let mut entries = Vec::new();
        let mut total = 0;
        for mut entry in self.files.entries()? {
            let name = entry.name.as_encoded_bytes();
            let temporary = name.starts_with(TEMPORARY.as_bytes());
            // The folder may be one that has other files too: they stay.
            if !temporary && !is_key(name) {
                continue;
            }
            let age = now.duration_since(entry.modified).unwrap_or_default();
            if temporary && age > ABANDONED {
                let _ = self.files.remove(&entry.name);
                continue;
            }
            entry.size = entry.size.next_multiple_of(BLOCK);
            total += entry.size;
            entries.push(entry);
        }
        entries.sort();
        for entry in entries {
            if total <= self.bytes / 8 * 7 {
                break;
            }
            if self.files.remove(&entry.name).is_ok() {
                total -= entry.size;
            }
        }
        written.set_len(0)
    }
}

/// Whether a file's name is one that `Key` makes.
fn is_key(name: &[u8]) -> bool {
    name.len() == 64
        && name
            .iter()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// A file that is being written. Dropped, it is removed.
struct Temporary<'a> {
    folder: &'a files::Folder,
    name: OsString,
    file: File,
    kept: bool,
}

impl<'a> Temporary<'a> {
    fn create(folder: &'a files::Folder) -> io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        loop {
            // Processes in different containers may have the same number, and some were
            // stopped before they could remove their files.
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let time = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
            let (pid, time) = (process::id(), time.subsec_nanos());
            let name = OsString::from(format!("{TEMPORARY}{pid}-{count}-{time}"));
            match folder.create_new(&name, 0o600) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                created => {
                    return created.map(|file| Self {
                        folder,
                        name,
                        file,
                        kept: false,
                    });
                }
            }
        }
    }

    /// Gives it its name, at once.
    fn keep_as(mut self, name: &OsStr) -> io::Result<()> {
        self.folder.rename(&self.name, name)?;
        self.kept = true;
        Ok(())
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if !self.kept {
            let _ = self.folder.remove(&self.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::key::tests::Numbered;
    use environment::files::user;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    const LARGE: u64 = 1 << 30;

    fn key(number: usize) -> Key {
        Key::new(&[0; 32], &Numbered(number))
    }

    fn size_on_disk(folder: &Folder) -> u64 {
        let entries = folder.files.entries().unwrap();
        let sizes = entries
            .iter()
            .map(|entry| entry.size.next_multiple_of(BLOCK));
        sizes.sum()
    }

    #[test]
    fn an_entry_is_there_after_it_was_written_and_can_be_replaced() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(&place.path().join("a/b"), LARGE).unwrap();
        assert!(folder.read(&key(1)).is_none());
        for payload in [&b"one"[..], b"another"] {
            folder.write(&key(1), payload).unwrap();
            assert_eq!(folder.read(&key(1)).unwrap().payload(), payload);
        }
        assert!(folder.read(&key(2)).is_none());
    }

    #[test]
    fn a_new_folder_is_private() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("cache");
        let folder = Folder::open(&path, LARGE).unwrap();
        folder.write(&key(1), b"entry").unwrap();
        assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o700);
        let file = path.join(key(1).to_string()).metadata().unwrap();
        assert_eq!(file.mode() & 0o077, 0);
    }

    #[test]
    fn a_folder_that_others_own_or_may_write_to_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let open = |path: &Path| Folder::open(path, LARGE).err().expect("must be refused");
        std::fs::set_permissions(place.path(), PermissionsExt::from_mode(0o777)).unwrap();
        assert!(open(place.path()).contains("others may write"));
        let foreign = if user() == 0 {
            std::os::unix::fs::chown(place.path(), Some(65534), None).unwrap();
            place.path()
        } else {
            Path::new("/usr")
        };
        assert!(open(foreign).contains("another user"));
        assert!(open(Path::new("/proc/no/such")).contains("/proc/no/such"));
    }

    #[test]
    fn a_file_that_another_user_put_there_is_not_read() {
        if user() != 0 {
            // Only root can make one.
            return;
        }
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path(), LARGE).unwrap();
        folder.write(&key(1), b"entry").unwrap();
        let file = place.path().join(key(1).to_string());
        std::os::unix::fs::chown(file, Some(65534), None).unwrap();
        assert!(folder.read(&key(1)).is_none());
    }

    #[test]
    fn what_is_no_file_is_not_read_and_does_not_block() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path(), LARGE).unwrap();
        std::fs::create_dir(place.path().join(key(1).to_string())).unwrap();
        assert!(folder.read(&key(1)).is_none());
        assert!(folder.write(&key(1), b"entry").is_err());
        let pipe = place.path().join(key(2).to_string());
        let name = std::ffi::CString::new(pipe.as_os_str().as_encoded_bytes()).unwrap();
        // SAFETY: the name is a string with its end.
        assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
        assert!(folder.read(&key(2)).is_none());
    }

    #[test]
    fn the_size_stays_within_its_bound_and_what_was_used_last_stays() {
        const BOUND: u64 = 64 * BLOCK;
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path(), BOUND).unwrap();
        let other = place.path().join("notes.txt");
        std::fs::write(&other, "not an entry").unwrap();
        let favourite = key(0);
        folder.write(&favourite, &[0; 100]).unwrap();
        for number in 1..300 {
            folder.write(&key(number), &[1; 5000]).unwrap();
            assert!(folder.read(&favourite).is_some(), "after {number}");
            // Two files more: the count and the other one.
            assert!(size_on_disk(&folder) <= BOUND + 2 * BLOCK, "after {number}");
        }
        assert!(folder.read(&key(299)).is_some());
        assert!(folder.read(&key(1)).is_none());
        assert!(other.exists());
    }

    #[test]
    fn a_large_entry_does_not_drive_out_all_others() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path(), 64 * BLOCK).unwrap();
        let size = 5 * BLOCK as usize;
        assert!(folder.write(&key(1), &vec![0; size]).is_err());
        assert!(folder.read(&key(1)).is_none());
    }

    #[test]
    fn what_a_stopped_process_left_is_removed_after_a_time() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path(), 64 * BLOCK).unwrap();
        let files =
            [".mocl3-writing-old", ".mocl3-writing-new"].map(|name| place.path().join(name));
        for file in &files {
            std::fs::write(file, "half an ent").unwrap();
        }
        let old = File::options().write(true).open(&files[0]).unwrap();
        old.set_modified(SystemTime::now() - 2 * ABANDONED).unwrap();
        for number in 0..8 {
            folder.write(&key(number), &[1; 100]).unwrap();
        }
        assert!(!files[0].exists());
        assert!(files[1].exists());
    }

    #[test]
    fn writers_and_readers_at_once_see_whole_entries_only() {
        let place = tempfile::tempdir().unwrap();
        // Small, so that entries are removed all the time.
        let folder = Folder::open(place.path(), 128 * BLOCK).unwrap();
        let payload = |number: usize| vec![number as u8; 3000 + number];
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let folder = &folder;
                scope.spawn(move || {
                    for round in 0..200 {
                        let number = (round * (thread + 1)) % 100;
                        if let Some(entry) = folder.read(&key(number)) {
                            assert_eq!(entry.payload(), payload(number));
                        }
                        folder.write(&key(number), &payload(number)).unwrap();
                    }
                });
            }
        });
    }
}
