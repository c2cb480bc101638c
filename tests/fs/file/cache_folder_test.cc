#include "fs/file/cache_folder.h"

#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

// Sets a variable of the environment, or removes it, until the end of the scope.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    set(value);
  }
  ~ScopedVariable() { set(before_ ? before_->c_str() : nullptr); }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  void set(const char* value) { value == nullptr ? ::unsetenv(name_) : ::setenv(name_, value, 1); }

  const char* name_;
  std::optional<std::string> before_;
};

stdfs::path folder_with(const char* cache, const char* home) {
  const ScopedVariable cache_home("XDG_CACHE_HOME", cache);
  const ScopedVariable user_home("HOME", home);
  return default_cache_folder();
}

TEST(DefaultCacheFolder, FollowsTheEnvironment) {
  EXPECT_EQ(folder_with("/var/tmp/c", "/home/m"), "/var/tmp/c/scidfs");
  EXPECT_EQ(folder_with(nullptr, "/home/m"), "/home/m/.cache/scidfs");
  EXPECT_EQ(folder_with("", "/home/m"), "/home/m/.cache/scidfs");
  EXPECT_EQ(folder_with("relative/is/not/allowed", "/home/m"), "/home/m/.cache/scidfs");
  EXPECT_EQ(folder_with(nullptr, nullptr), "");
  EXPECT_EQ(folder_with(nullptr, "home"), "");
  const tests::TemporaryFolder own;
  EXPECT_EQ(folder_with(nullptr, own.path().c_str()), own / ".cache/scidfs");
}

TEST(DefaultDataFolder, FollowsTheEnvironment) {
  const ScopedVariable home("HOME", "/home/m");
  for (const auto& [data, folder] :
       {std::pair("/var/tmp/d", "/var/tmp/d/scidfs"), std::pair("", "/home/m/.local/share/scidfs"),
        std::pair("relative", "/home/m/.local/share/scidfs")}) {
    const ScopedVariable data_home("XDG_DATA_HOME", data);
    EXPECT_EQ(default_data_folder(), folder);
  }
}

// As for a `user` mount of fstab, whose program is a child of root.
TEST(DefaultCacheFolder, HomeOfAnotherUserIsNotUsed) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives folders away";
  const tests::TemporaryFolder home;
  constexpr uid_t kOther = 65534;
  ASSERT_EQ(::chown(home.path().c_str(), kOther, 0), 0);
  const passwd* const root = ::getpwuid(0);
  ASSERT_NE(root, nullptr);
  EXPECT_EQ(folder_with(nullptr, home.path().c_str()), stdfs::path(root->pw_dir) / ".cache/scidfs");
  EXPECT_EQ(folder_with("/var/tmp/c", home.path().c_str()), "/var/tmp/c/scidfs");
  // A user without a home has no cache either.
  ASSERT_EQ(::chown(home.path().c_str(), 0, 0), 0);
  ASSERT_EQ(::seteuid(kOther), 0);
  const stdfs::path folder = folder_with(nullptr, home.path().c_str());
  ASSERT_EQ(::seteuid(0), 0);
  EXPECT_EQ(folder, "");
}

}  // namespace
}  // namespace scidfs::fs
