// Reads regular files of limited size, only from the caller's folders if it names any, and
// reports each access to the real file system to the caller.

#include "source_files.h"

#include "llvm/Support/Errno.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace {

// Bytes of an included or embedded file.
constexpr uint64_t largest_file = 64u << 20;

enum class Refusal { not_regular = 1, too_large };

// Why a file is not read, as clang shows it after "cannot open file".
class Refusals : public std::error_category {
public:
  const char *name() const noexcept override { return "mocl3"; }
  std::string message(int refusal) const override {
    if (refusal == static_cast<int>(Refusal::too_large))
      return "larger than " + std::to_string(largest_file >> 20) + " MiB";
    return "not a regular file";
  }
};

std::error_code refused(Refusal refusal) {
  // Never destroyed: threads may compile while the process exits.
  static const auto *category = new Refusals;
  return {static_cast<int>(refusal), *category};
}

std::error_code last_error() { return {errno, std::generic_category()}; }

// The path with symbolic links resolved; empty if it does not exist.
std::string real_path(const std::string &path) {
  char *real = ::realpath(path.c_str(), nullptr);
  std::string result = real ? real : "";
  std::free(real);
  return result;
}

int open_for_reading(const std::string &path, int flags) {
  return llvm::sys::RetryAfterSignal(-1, [&] {
    return ::open(path.c_str(), O_RDONLY | O_NOCTTY | O_CLOEXEC | flags);
  });
}

// Opens a regular file on which another process holds a lease (fcntl(2)), which blocks until
// the lease is released. The O_PATH descriptor ensures that the file opened is the one that
// was found to be regular: opening a FIFO could block for ever.
int open_leased(const std::string &path) {
  int found = open_for_reading(path, O_PATH);
  struct stat status;
  if (found < 0 || ::fstat(found, &status) != 0)
    return found;
  int file = found;
  if (S_ISREG(status.st_mode)) {
    file = open_for_reading("/proc/self/fd/" + std::to_string(found), 0);
    int error = errno;
    ::close(found);
    errno = error;
  }
  return file;
}

// Reads a file that was regular when its status was queried. It may have been replaced since:
// with O_NONBLOCK, opening a FIFO does not wait for a writer.
llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
read_regular(const std::string &path) {
  int file = open_for_reading(path, O_NONBLOCK);
  if (file < 0 && errno == EWOULDBLOCK)
    file = open_leased(path);
  if (file < 0)
    return last_error();
  struct stat status;
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> text =
      std::unique_ptr<llvm::MemoryBuffer>();
  if (::fstat(file, &status) != 0)
    text = last_error();
  else if (!S_ISREG(status.st_mode))
    text = refused(Refusal::not_regular);
  else if (static_cast<uint64_t>(status.st_size) > largest_file)
    text = refused(Refusal::too_large);
  else // Volatile, hence copied: a mapped file that is truncated raises SIGBUS.
    text = llvm::MemoryBuffer::getOpenFile(
        file, path, status.st_size, /*RequiresNullTerminator=*/true,
        /*IsVolatile=*/true);
  ::close(file);
  return text;
}

// A file that was read once: clang gets the same bytes as the observer.
class ReadFile : public llvm::vfs::File {
  llvm::vfs::Status file_status;
  std::unique_ptr<llvm::MemoryBuffer> text;

public:
  ReadFile(llvm::vfs::Status status, std::unique_ptr<llvm::MemoryBuffer> text)
      : file_status(std::move(status)), text(std::move(text)) {}
  llvm::ErrorOr<llvm::vfs::Status> status() override { return file_status; }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
  getBuffer(const llvm::Twine &name, int64_t, bool, bool) override {
    return llvm::MemoryBuffer::getMemBufferCopy(text->getBuffer(), name);
  }
  std::error_code close() override { return {}; }

protected:
  void setPath(const llvm::Twine &path) override {
    file_status = llvm::vfs::Status::copyWithNewName(file_status, path);
  }
};

// The folders from which files may be read.
class Folders {
  bool everywhere;
  std::vector<std::string> roots;

public:
  explicit Folders(const Mocl3Reading &reading)
      : everywhere(!reading.only_folders) {
    for (size_t i = 0; !everywhere && i < reading.folder_count; ++i) {
      std::string root = real_path(reading.folders[i]);
      if (!root.empty())
        roots.push_back(std::move(root));
    }
  }

  // Resolves symbolic links first: one may point out of the folder.
  bool hold(const std::string &path) const {
    if (everywhere)
      return true;
    std::string real = real_path(path);
    for (const std::string &root : roots) {
      llvm::StringRef rest = real;
      if (rest.consume_front(root) &&
          (rest.empty() || rest.front() == '/' || root == "/"))
        return true;
    }
    return false;
  }
};

// The real file system. Reports every access to the observer; paths outside the folders do
// not exist.
class ObservedFileSystem : public llvm::vfs::ProxyFileSystem {
  Observer observe;
  Folders folders;

public:
  ObservedFileSystem(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> real,
                     const Mocl3Reading &reading)
      : ProxyFileSystem(std::move(real)), observe(reading), folders(reading) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override {
    std::string name = path.str();
    llvm::ErrorOr<llvm::vfs::Status> found =
        std::make_error_code(std::errc::no_such_file_or_directory);
    if (folders.hold(name))
      found = ProxyFileSystem::status(name);
    if (!found)
      observe(MOCL3_NOTHING, name);
    else if (found->isDirectory())
      observe(MOCL3_DIRECTORY, name);
    else if (found->isRegularFile())
      observe(MOCL3_FILE, name);
    else
      observe(MOCL3_UNREPEATABLE);
    return found;
  }

  bool exists(const llvm::Twine &path) override {
    return static_cast<bool>(status(path));
  }

  // The current folder may have been deleted. /proc/self/cwd then has no files, and no error.
  llvm::ErrorOr<std::string> getCurrentWorkingDirectory() const override {
    auto directory = ProxyFileSystem::getCurrentWorkingDirectory();
    return directory ? *directory : std::string("/proc/self/cwd");
  }

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &path) override {
    std::string name = path.str();
    auto found = status(name);
    if (!found)
      return found.getError();
    if (found->isDirectory())
      return std::make_error_code(std::errc::is_a_directory);
    if (!found->isRegularFile())
      return refused(Refusal::not_regular);
    auto text = read_regular(name);
    if (!text) {
      observe(MOCL3_UNREPEATABLE);
      return text.getError();
    }
    observe(MOCL3_TEXT, name, (*text)->getBuffer());
    return std::make_unique<ReadFile>(
        llvm::vfs::Status::copyWithNewSize(*found, (*text)->getBufferSize()),
        std::move(*text));
  }

  llvm::vfs::directory_iterator dir_begin(const llvm::Twine &,
                                          std::error_code &error) override {
    observe(MOCL3_UNREPEATABLE);
    error = std::make_error_code(std::errc::permission_denied);
    return {};
  }
};

} // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
mocl3_source_files(llvm::ArrayRef<Mocl3File> files, const Mocl3Reading &reading) {
  auto real = llvm::makeIntrusiveRefCnt<ObservedFileSystem>(
      llvm::vfs::getRealFileSystem(), reading);
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  if (auto directory = real->getCurrentWorkingDirectory())
    memory->setCurrentWorkingDirectory(*directory);
  for (const Mocl3File &file : files)
    memory->addFile(file.name, 0,
                    llvm::MemoryBuffer::getMemBufferCopy(
                        llvm::StringRef(file.text, file.size), file.name));
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(real);
  overlay->pushOverlay(memory);
  return overlay;
}
