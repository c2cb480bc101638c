// Compares the files that `meson install` installs and that `ninja uninstall` leaves with a list.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "tests/install/documents.h"
#include "tests/support/configuration.h"
#include "tests/support/files.h"
#include "tests/support/mount.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;

// A path below the folder of the installation -> its permissions in octal, or "-> " and the target
// of a link.
using Listing = std::map<std::string, std::string>;

const std::string kProgram = "755";
const std::string kData = "644";

filesystem::path below_prefix(std::string_view key) {
  return filesystem::path(configured("prefix")) / configured(key);
}
filesystem::path bin() { return below_prefix("bindir"); }
filesystem::path sbin() { return below_prefix("sbindir"); }
filesystem::path data() { return below_prefix("datadir"); }
filesystem::path libexec() { return below_prefix("libexecdir"); }
filesystem::path manual() { return below_prefix("mandir"); }
bool has_manual() { return configured("manual") == "yes"; }
filesystem::path documents() { return data() / "doc/scidfs"; }

Listing expected() {
  Listing files;
  for (const char* const name :
       {"scidfs", "scidfs-book", "scidfs-get", "scidfs-import", "scidfs-pack", "scidfs-serve"}) {
    files[bin() / name] = kProgram;
  }
  const filesystem::path program = (bin() / "scidfs").lexically_relative(sbin());
  for (const char* const name : {"mount.scidfs", "mount.fuse.scidfs"}) {
    files[sbin() / name] = "-> " + program.string();
  }
  for (const char* const name :
       {"LICENSE", "README.md", "codec/kvetka/FORMAT.md", "codec/scid/FORMAT.md",
        "codec/scv/FORMAT.md", "fs/GUIDES.md", "fs/README.md", "fs/sandbox/README.md",
        "scripts/install/README.md", "scripts/install/page.png", "scripts/install/terminal.svg",
        "tests/README.md", "tests/bench/README.md", "tests/bench/ratios.svg"}) {
    files[documents() / name] = kData;
  }
  for (const std::string name :
       {"scidfs", "scidfs-book", "scidfs-get", "scidfs-import", "scidfs-pack", "scidfs-serve"}) {
    files[data() / "bash-completion/completions" / name] = kData;
    files[data() / "fish/vendor_completions.d" / (name + ".fish")] = kData;
  }
  files[data() / "zsh/site-functions/_scidfs"] = kData;
  for (const char* const name :
       {"applications/scidfs.desktop", "icons/hicolor/scalable/apps/scidfs.svg",
        "metainfo/invalid.scidfs.scidfs.metainfo.xml", "mime/packages/scidfs.xml"}) {
    files[data() / name] = kData;
  }
  files[libexec() / "scidfs/open-as-folder"] = kProgram;
  for (const char* const unit :
       {"user/scidfs@.service", "system/scidfs-serve@.service", "system/scidfs-serve@.socket"}) {
    files[filesystem::path(configured("prefix")) / "lib/systemd" / unit] = kData;
  }
  if (has_manual()) {
    for (const char* const page :
         {"man1/scidfs.1", "man1/scidfs-book.1", "man1/scidfs-get.1", "man1/scidfs-import.1",
          "man1/scidfs-pack.1", "man1/scidfs-serve.1", "man5/scidfs.5", "man5/scidfs-search.5",
          "man5/scidfs-tables.5", "man7/scidfs-cluster.7", "man7/scidfs-data.7",
          "man7/scidfs-export.7", "man7/scidfs-programs.7", "man7/scidfs-tutorial.7",
          "man8/mount.scidfs.8", "man8/mount.fuse.scidfs.8"}) {
      files[manual() / page] = kData;
    }
  }
  return files;
}

// Everything below `folder` except folders.
Listing listing(const filesystem::path& folder) {
  Listing files;
  for (const auto& entry : filesystem::recursive_directory_iterator(folder)) {
    const std::string name = "/" + entry.path().lexically_relative(folder).string();
    if (entry.is_symlink()) {
      files[name] = "-> " + filesystem::read_symlink(entry.path()).string();
    } else if (!entry.is_directory()) {
      files[name] = fmt::format("{:o}", static_cast<unsigned>(entry.status().permissions()));
    }
  }
  return files;
}

// Meson lists in a file of the build folder what it has installed, and uninstalls the files of that
// list. The list may be that of a real installation.
class Log {
 public:
  Log() {
    if (filesystem::exists(path_)) kept_ = read_file(path_);
  }
  ~Log() {
    if (kept_) {
      write_file(path_, *kept_);
    } else {
      filesystem::remove(path_);
    }
  }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

 private:
  const std::string path_ = configured("build") + "/meson-logs/install-log.txt";
  std::optional<std::string> kept_;
};

class InstallTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string command =
        fmt::format("{} install -C {} --quiet --no-rebuild --destdir {}", configured("meson"),
                    shell_word(configured("build")), shell_word(folder().string()));
    ASSERT_EQ(run_ok(command), "");
  }

  // Installs into the folder as if it were the root of a system.
  filesystem::path folder() const { return parent_ / "root"; }
  filesystem::path installed(const filesystem::path& path) const {
    return folder() / path.relative_path();
  }

 private:
  Log log_;
  TemporaryFolder parent_;
};

TEST_F(InstallTest, PutsEachFileInItsPlace) { EXPECT_EQ(listing(folder()), expected()); }

TEST_F(InstallTest, ProgramsRunWhereInstalled) {
  for (const std::string name :
       {"scidfs", "scidfs-book", "scidfs-get", "scidfs-import", "scidfs-pack", "scidfs-serve"}) {
    const std::string program = shell_word(installed(bin() / name).string());
    EXPECT_THAT(run_ok(program + " --version"), HasSubstr(name + " " + configured("version")));
  }
  for (const char* const name : {"mount.scidfs", "mount.fuse.scidfs"}) {
    EXPECT_TRUE(filesystem::equivalent(installed(sbin() / name), installed(bin() / "scidfs")));
  }
}

// Returns where a link of README.md leads after installation. Sources of manual pages become pages.
filesystem::path place_of(const filesystem::path& link) {
  if (link.extension() != ".scd") return documents() / link;
  const std::string page = link.stem();
  return manual() / ("man" + page.substr(page.size() - 1)) / page;
}

TEST_F(InstallTest, LinksOfReadmeLeadToInstalledFiles) {
  const auto links = relative_links(installed(documents() / "README.md"));
  EXPECT_THAT(links, Not(IsEmpty()));
  for (const std::string& link : links) {
    const filesystem::path place = place_of(link);
    if (!has_manual() && place.native().starts_with(manual().native())) continue;
    EXPECT_TRUE(filesystem::exists(installed(place))) << link;
  }
}

TEST_F(InstallTest, UninstallLeavesOnlyFilesOfOthers) {
  const filesystem::path of_others = data() / "man/man1/other.1";
  filesystem::create_directories(installed(of_others).parent_path());
  write_file(installed(of_others), "");
  run_ok(fmt::format("ninja -C {} uninstall", shell_word(configured("build"))));
  EXPECT_THAT(listing(folder()), ElementsAre(Key(of_others)));
  for (const filesystem::path& place : {bin(), sbin(), documents()}) {
    EXPECT_FALSE(filesystem::exists(installed(place))) << place;
  }
}

}  // namespace
}  // namespace scidfs::tests
