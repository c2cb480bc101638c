#include "fs/file/file_maker.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "fs/file/folder.h"
#include "fs/file/io.h"
#include "fs/file/socket_message.h"

namespace scidfs::fs {
namespace {

constexpr char kMake = 'F';
constexpr char kSetAttribute = 'A';
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
  Process(int socket, std::filesystem::path folder, NewAccess access,
          absl::FunctionRef<bool(std::string_view name)> is_of_result)
      : socket_(socket),
        folder_(std::move(folder)),
        access_(std::move(access)),
        is_of_result_(is_of_result) {}

  // Answers until the program ends.
  void run() {
    std::string request(kMostOfMessage, '\0');
    for (;;) {
      const ssize_t size = ::recv(socket_, request.data(), request.size(), 0);
      if (size < 0 && errno == EINTR) continue;
      if (size <= 0) return;
      std::string_view rest(request.data(), static_cast<std::size_t>(size));
      const char what = rest.front();
      rest.remove_prefix(1);
      if (what == kMake) make(rest);
      if (what == kSetAttribute) set(rest);
    }
  }

 private:
  struct Made {
    dev_t device = 0;
    ino_t inode = 0;
  };

  // Replies a status code and the name aside or a message.
  void make(std::string_view name) {
    const bool is_name = name.find('/') == std::string_view::npos && is_of_result_(name);
    absl::StatusOr<AsideFile> made = absl::PermissionDeniedError("Cannot write other files");
    // The working directory is the folder, though its path may lead elsewhere by now.
    if (is_name) made = make_aside(name, access_, (folder_ / name).native());
    std::string reply(1, static_cast<char>(made.status().code()));
    if (!made.ok()) {
      reply += std::string(made.status().message());
      send_message(socket_, reply.substr(0, kMostOfMessage), -1);
      return;
    }
    struct stat attributes {};
    ::fstat(made->file.get(), &attributes);
    made_[made->aside] = {attributes.st_dev, attributes.st_ino};
    if (!send_message(socket_, reply + made->aside, made->file.get())) {
      ::unlink(made->aside.c_str());
    }
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

  const int socket_;
  const std::filesystem::path folder_;
  const NewAccess access_;
  const absl::FunctionRef<bool(std::string_view name)> is_of_result_;
  std::map<std::string, Made> made_;
};

absl::Status no_process(const std::filesystem::path& path) {
  return absl::InternalError("Cannot write " + path.native() +
                             ": the process that makes its files has ended");
}

}  // namespace

const FileMaker& FileMaker::usual() {
  static const FileMaker kUsual;
  return kUsual;
}

absl::Status FileMaker::start(const std::filesystem::path& folder,
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
  if (::fchdir(place.get()) == 0) Process(its.get(), folder, access, is_of_result).run();
  ::_exit(0);
}

absl::StatusOr<AsideFile> FileMaker::make(const std::filesystem::path& path) const {
  if (!process_.ok()) return make_aside(path, access_, path.native());
  const std::string request = kMake + path.filename().native();
  if (::write(process_.get(), request.data(), request.size()) < 0) return no_process(path);
  auto [reply, file] = receive_message(process_.get());
  if (reply.empty()) return no_process(path);
  const auto code = static_cast<absl::StatusCode>(reply[0]);
  reply.erase(0, 1);
  if (code != absl::StatusCode::kOk) return absl::Status(code, reply);
  return AsideFile{.file = std::move(file), .aside = path.parent_path() / reply};
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
