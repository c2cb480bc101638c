#include "fs/file/file_maker.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "fs/base/status_macros.h"
#include "fs/file/aside.h"
#include "fs/file/folder.h"
#include "fs/file/io.h"
#include "fs/file/new_file.h"
#include "fs/file/small_files.h"
#include "fs/file/socket_message.h"

namespace scidfs::fs {
namespace {

constexpr char kMake = 'F';
constexpr char kSetAttribute = 'A';
constexpr char kMakeFolder = 'D';
constexpr char kSetTime = 'T';
constexpr std::string_view kOurAttributes = "user.scidfs.";

// Takes the text before the next zero byte.
std::string take_text(std::string_view& rest) {
  std::string text(rest.substr(0, rest.find('\0')));
  rest.remove_prefix(std::min(rest.size(), text.size() + 1));
  return text;
}

// What the process does. The program may have been taken over: it gets files of the result, and
// nothing else.
class Process {
 public:
  // `place`: the folder, which is the working directory. `is_below`: for folders in it, too.
  Process(int socket, int place, bool is_below, std::filesystem::path folder, NewAccess access,
          absl::FunctionRef<bool(std::string_view name)> is_of_result)
      : socket_(socket),
        place_(place),
        is_below_(is_below),
        folder_(std::move(folder)),
        access_(std::move(access)),
        is_of_result_(is_of_result) {}

  // Answers until the program ends.
  void run() {
    if (is_below_) note_unfinished(".", "");
    std::string request(kMostOfRequest, '\0');
    for (;;) {
      const ssize_t size = ::recv(socket_, request.data(), request.size(), 0);
      if (size < 0 && errno == EINTR) continue;
      if (size <= 0) return;
      std::string_view rest(request.data(), static_cast<std::size_t>(size));
      const char what = rest.front();
      rest.remove_prefix(1);
      if (what == kMake) make(rest);
      if (what == kSetAttribute) set(rest);
      if (what == kMakeFolder) make_folder(rest);
      if (what == kSetTime) set_time(rest);
      if (what == FileMaker::kWrite && is_below_) write(rest);
    }
  }

 private:
  struct Made {
    dev_t device = 0;
    ino_t inode = 0;
  };

  // Enters the folder of a file and removes what is left of the file.
  absl::Status prepare(std::string_view path, std::string_view shown) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    // The working directory is the folder, though its path may lead elsewhere by now.
    if (const int error = enter(path); error != 0) return file_error("write", shown, error);
    if (!is_of_result_(name)) return absl::PermissionDeniedError("Cannot write other files");
    if (!unfinished_.empty() && unfinished_.erase(std::string(path)) != 0) {
      remove_abandoned(".", [name](std::string_view one) { return one == name; });
    }
    return absl::OkStatus();
  }

  // Replies a status code and the name aside or a message.
  void make(std::string_view path) {
    last_shown_ = (folder_ / path).native();
    const absl::Status prepared = prepare(path, last_shown_);
    if (!prepared.ok()) return reply(prepared);
    absl::StatusOr<AsideFile> made =
        make_aside(path.substr(path.rfind('/') + 1), access_, last_shown_);
    if (!made.ok()) return reply(made.status());
    struct stat attributes {};
    ::fstat(made->file.get(), &attributes);
    if (!is_below_) made_[made->aside] = {attributes.st_dev, attributes.st_ino};
    const std::string good(1, static_cast<char>(absl::StatusCode::kOk));
    if (!send_message(socket_, good + made->aside, made->file.get())) {
      ::unlink(made->aside.c_str());
    }
    last_ = std::move(made->file);
  }

  // Writes small files, and replies a status code and message of each that fails.
  void write(std::string_view files) {
    std::string failures(1, static_cast<char>(absl::StatusCode::kOk));
    while (const std::optional<SmallFile> file = take_small_file(files)) {
      if (is_full_ || has_program_ended()) break;
      const absl::Status status = write(*file, (folder_ / file->path).native());
      if (status.ok()) continue;
      is_full_ = absl::IsResourceExhausted(status);
      entered_.reset();
      failures += static_cast<char>(status.code()) + std::string(status.message()) + '\0';
    }
    send_message(socket_, std::string_view(failures).substr(0, kMostOfMessage), -1);
  }

  absl::Status write(const SmallFile& file, const std::string& shown) {
    RETURN_IF_ERROR(prepare(file.path, shown));
    const std::string_view name = file.path.substr(file.path.rfind('/') + 1);
    NewAccess access = access_;
    // There will be no file whose access this one gets.
    if (access.like.empty() && file.existing == NewFile::Existing::Keep) access.is_fixed = true;
    ASSIGN_OR_RETURN(const std::unique_ptr<NewFile> made, NewFile::create(name, access, shown));
    RETURN_IF_ERROR(made->append(file.bytes));
    // Without sync(), as cp(1).
    RETURN_IF_ERROR(made->set_mtime(file.time));
    return made->put_in_place(file.existing);
  }

  bool has_program_ended() const {
    pollfd socket{.fd = socket_, .events = POLLRDHUP, .revents = 0};
    return ::poll(&socket, 1, 0) > 0;
  }

  // Enters the folder of a file of the result, without following links, unless that was done last.
  // Returns 0 or an errno.
  int enter(std::string_view path) {
    // System calls would take the bytes before it for the path.
    if (path.find('\0') != std::string_view::npos) return EINVAL;
    if (!is_below_) return path.find('/') == std::string_view::npos ? 0 : EPERM;
    const std::string_view folder = path.substr(0, path.rfind('/') + 1);
    if (entered_ == folder) return 0;
    entered_.reset();
    const int error = enter_anew(path);
    if (error == 0) entered_ = folder;
    return error;
  }

  int enter_anew(std::string_view path) const {
    Descriptor at(::openat(place_, ".", kFolder));
    for (std::size_t end = 0; at.ok() && (end = path.find('/')) != std::string_view::npos;) {
      const std::string name(path.substr(0, end));
      path.remove_prefix(end + 1);
      if (name.empty() || name == "..") return EPERM;
      at = Descriptor(::openat(at.get(), name.c_str(), kFolder));
    }
    return at.ok() && ::fchdir(at.get()) == 0 ? 0 : errno;
  }

  void make_folder(std::string_view path) {
    constexpr mode_t kAll = 0777;
    const std::string name(path.substr(path.rfind('/') + 1));
    int error = enter(path);
    if (error == 0 && ::mkdir(name.c_str(), kAll) != 0) {
      struct stat attributes {};
      const bool is_folder =
          errno == EEXIST && ::lstat(name.c_str(), &attributes) == 0 && S_ISDIR(attributes.st_mode);
      error = is_folder ? 0 : errno;
      if (is_folder) note_unfinished(name, std::string(path) + '/');
    }
    reply(error == 0 ? absl::OkStatus() : file_error("make", (folder_ / path).native(), error));
  }

  // Notes the files of a folder, whose paths begin with `path`, that writers have not finished:
  // make() removes those that were killed. A folder of many files is looked through once.
  void note_unfinished(const std::filesystem::path& folder, const std::string& path) {
    const auto note = [&](std::string_view name) {
      unfinished_.insert(path + std::string(name));
      return false;
    };
    abandoned_files(folder, note);
  }

  void set_time(std::string_view request) {
    FileTime time;
    if (request.size() >= sizeof time) std::memcpy(&time, request.data(), sizeof time);
    reply(fs::set_time(last_.get(), time, last_shown_));
  }

  void reply(const absl::Status& status) const {
    std::string text(1, static_cast<char>(status.code()));
    text += std::string(status.message());
    send_message(socket_, text.substr(0, kMostOfMessage), -1);
  }

  // Replies a byte: whether the attribute is set.
  void set(std::string_view rest) {
    const std::string aside = take_text(rest);
    const std::string attribute = take_text(rest);
    const auto known = made_.find(aside);
    bool is_set = false;
    if (known != made_.end() && attribute.starts_with(kOurAttributes)) {
      const Descriptor file(::open(aside.c_str(), kOpenToRead));
      struct stat attributes {};
      is_set = file.ok() && ::fstat(file.get(), &attributes) == 0 &&
               attributes.st_dev == known->second.device &&
               attributes.st_ino == known->second.inode &&
               fs::set_attribute(file.get(), attribute.c_str(), rest);
    }
    send_message(socket_, std::string(1, is_set ? '\1' : '\0'), -1);
  }

  static constexpr int kFolder = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

  const int socket_;
  const int place_;
  const bool is_below_;
  const std::filesystem::path folder_;
  const NewAccess access_;
  const absl::FunctionRef<bool(std::string_view name)> is_of_result_;
  std::map<std::string, Made> made_;
  std::set<std::string> unfinished_;  // paths of files that may have remains of earlier writers
  Descriptor last_;                   // of make()
  std::string last_shown_;
  std::optional<std::string>
      entered_;           // the working directory: the path of a file without its name
  bool is_full_ = false;  // write() has failed with ResourceExhausted
};

}  // namespace

absl::Status FileMaker::no_process(const std::filesystem::path& path) {
  return absl::InternalError("Cannot write " + path.native() +
                             ": the process that makes its files has ended");
}

const FileMaker& FileMaker::usual() {
  static const FileMaker kUsual;
  return kUsual;
}

absl::Status FileMaker::start(const std::filesystem::path& folder,
                              absl::FunctionRef<bool(std::string_view name)> is_of_result) {
  return start(folder, false, is_of_result);
}

absl::Status FileMaker::start_below(const std::filesystem::path& folder) {
  below_ = folder;
  return start(folder, true, [](std::string_view /*name*/) { return true; });
}

absl::Status FileMaker::start(const std::filesystem::path& folder, bool is_below,
                              absl::FunctionRef<bool(std::string_view name)> is_of_result) {
  const Descriptor place(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  // Without the folder there will be no file: make() tells why.
  if (!place.ok()) return absl::OkStatus();
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return file_error("write into", folder.native(), errno);
  }
  Descriptor ours(ends[0]);
  Descriptor its(ends[1]);
  const pid_t process = ::fork();
  if (process < 0) return file_error("write into", folder.native(), errno);
  if (process > 0) {
    process_ = std::move(ours);
    return absl::OkStatus();
  }
  ours = Descriptor();
  // Programs that wait for the end of the output, or write the input, wait for the program alone.
  ::close(STDIN_FILENO);
  ::close(STDOUT_FILENO);
  ::prctl(PR_SET_NAME, "file-maker");
  NewAccess access = access_;
  access.like = access.like.filename();
  if (::fchdir(place.get()) == 0) {
    Process(its.get(), place.get(), is_below, folder, access, is_of_result).run();
  }
  ::_exit(0);
}

absl::StatusOr<AsideFile> FileMaker::make(const std::filesystem::path& path) const {
  if (!process_.ok()) return make_aside(path, access_, path.native());
  ASSIGN_OR_RETURN(SocketMessage reply, ask(kMake, path));
  return AsideFile{.file = std::move(reply.descriptor), .aside = path.parent_path() / reply.text};
}

absl::StatusOr<SocketMessage> FileMaker::ask(char what, const std::filesystem::path& path,
                                             std::string_view more) const {
  std::string request(1, what);
  if (more.empty()) {
    request += below_.empty() ? path.filename().native() : below(path);
  }
  request += more;
  if (::write(process_.get(), request.data(), request.size()) < 0) return no_process(path);
  SocketMessage reply = receive_message(process_.get());
  if (reply.text.empty()) return no_process(path);
  const auto code = static_cast<absl::StatusCode>(reply.text[0]);
  reply.text.erase(0, 1);
  if (code != absl::StatusCode::kOk) return absl::Status(code, reply.text);
  return reply;
}

absl::Status FileMaker::make_folder(const std::filesystem::path& path) const {
  return ask(kMakeFolder, path).status();
}

absl::Status FileMaker::set_time(const std::filesystem::path& path, FileTime time) const {
  return ask(kSetTime, path, {reinterpret_cast<const char*>(&time), sizeof time}).status();
}

std::string_view FileMaker::below(const std::filesystem::path& path) const {
  assert(!below_.empty() && path.native().starts_with(below_.native()));
  std::string_view rest = path.native();
  rest.remove_prefix(below_.native().size());
  if (rest.starts_with('/')) rest.remove_prefix(1);
  return rest;
}

bool FileMaker::set_attribute(const AsideFile& file, const char* name,
                              std::string_view value) const {
  if (!process_.ok()) return fs::set_attribute(file.file.get(), name, value);
  std::string request(1, kSetAttribute);
  request += std::filesystem::path(file.aside).filename().native() + '\0' + name + '\0';
  request += value;
  if (::write(process_.get(), request.data(), request.size()) < 0) return false;
  return receive_message(process_.get()).text == std::string(1, '\1');
}

}  // namespace scidfs::fs
