#include "fs/programs/mount_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace scidfs::fs {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::Each;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

absl::StatusOr<CommandLine> parse(const std::vector<const char*>& words) {
  return parse_command_line(words);
}

// The options of `scidfs /src /mnt -o LIST`.
MountOptions mount_with(const std::string& list) {
  const auto command = parse({"/src", "/mnt", "-o", list.c_str()});
  EXPECT_TRUE(command.ok()) << list << ": " << command.status();
  return command.ok() ? command->mount : MountOptions();
}

std::string error_of(const std::vector<const char*>& words) {
  const auto command = parse(words);
  EXPECT_FALSE(command.ok());
  EXPECT_EQ(command.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(command.status().message());
}

std::string error_with(const std::string& list) {
  return error_of({"/src", "/mnt", "-o", list.c_str()});
}

TEST(Options, ParseCheck) {
  const auto command = parse({"--check", "/src/"});
  ASSERT_TRUE(command.ok()) << command.status();
  EXPECT_EQ(command->action, CommandLine::Action::Check);
  EXPECT_EQ(command->mount.source, "/src");
  EXPECT_FALSE(command->verbose);
  const auto more = parse({"/src", "--verbose", "-o", "threads=3", "--check"});
  ASSERT_TRUE(more.ok()) << more.status();
  EXPECT_EQ(more->action, CommandLine::Action::Check);
  EXPECT_TRUE(more->verbose);
  EXPECT_EQ(more->mount.library.threads, 3);
}

TEST(Options, ParseUnmountAndWhatIsLeftOut) {
  const auto unmount = parse({"-u", "/src/"});
  ASSERT_TRUE(unmount.ok()) << unmount.status();
  EXPECT_EQ(unmount->action, CommandLine::Action::Unmount);
  EXPECT_EQ(unmount->mount.source, "/src");
  const auto own_place = parse({"/src", "-f"});
  ASSERT_TRUE(own_place.ok()) << own_place.status();
  EXPECT_EQ(own_place->action, CommandLine::Action::Mount);
  EXPECT_EQ(own_place->mount.mountpoint, "");
  const auto nothing = parse({});
  ASSERT_TRUE(nothing.ok()) << nothing.status();
  EXPECT_EQ(nothing->action, CommandLine::Action::Explain);
}

TEST(Options, HaveDefaults) {
  const auto command = parse({"/src", "/mnt"});
  ASSERT_TRUE(command.ok()) << command.status();
  EXPECT_EQ(command->action, CommandLine::Action::Mount);
  const MountOptions& mount = command->mount;
  EXPECT_EQ(mount.source, "/src");
  EXPECT_EQ(mount.mountpoint, "/mnt");
  EXPECT_FALSE(mount.foreground);
  EXPECT_FALSE(mount.debug);
  EXPECT_FALSE(mount.single_thread);
  EXPECT_EQ(mount.cache_bytes, std::size_t{64} << 20);
  EXPECT_EQ(mount.library.database.pgn, codec::PgnOptions());
  EXPECT_FALSE(mount.library.database.show_deleted);
  EXPECT_FALSE(mount.library.database.by_round);
  EXPECT_EQ(mount.library.database.csv, CsvForm::Plain);
  EXPECT_EQ(mount.library.index, IndexMode::Auto);
  EXPECT_EQ(mount.library.threads, 0);
  EXPECT_EQ(mount.uid, getuid());
  EXPECT_EQ(mount.gid, getgid());
  EXPECT_EQ(mount.file_mode, 0444);
  EXPECT_EQ(mount.directory_mode, 0555);
}

TEST(Options, ParseFlagsInAnyPlace) {
  const auto command = parse({"-f", "/src", "-s", "/mnt", "-onoatime", "-o", "width=60"});
  ASSERT_TRUE(command.ok()) << command.status();
  EXPECT_TRUE(command->mount.foreground);
  EXPECT_TRUE(command->mount.single_thread);
  EXPECT_FALSE(command->mount.debug);
  EXPECT_EQ(command->mount.library.database.pgn.width, 60);
  EXPECT_THAT(command->mount.fuse_options, Contains("noatime"));
}

TEST(Options, FollowConventionsOfGetopt) {
  const auto command = parse({"-fs", "/src", "--", "/mnt"});
  ASSERT_TRUE(command.ok()) << command.status();
  EXPECT_TRUE(command->mount.foreground);
  EXPECT_TRUE(command->mount.single_thread);
  EXPECT_EQ(parse({"--che", "/src"})->action, CommandLine::Action::Check);
}

TEST(Options, DebugStaysInForeground) {
  for (const char* const word : {"-d", "-odebug"}) {
    const auto command = parse({"/src", "/mnt", word});
    ASSERT_TRUE(command.ok()) << command.status();
    EXPECT_TRUE(command->mount.debug);
    EXPECT_TRUE(command->mount.foreground);
  }
}

TEST(Options, HelpAndVersionOverrideOtherOptions) {
  for (const char* const word : {"-h", "--help"}) {
    const auto command = parse({word});
    ASSERT_TRUE(command.ok());
    EXPECT_EQ(command->asked, Asked::Help);
  }
  for (const char* const word : {"-V", "--version"}) {
    const auto command = parse({"/src", word});
    ASSERT_TRUE(command.ok());
    EXPECT_EQ(command->asked, Asked::Version);
  }
}

TEST(Options, ParseSizes) {
  EXPECT_EQ(mount_with("cache=0").cache_bytes, 0);
  EXPECT_EQ(mount_with("cache=12345").cache_bytes, 12345);
  EXPECT_EQ(mount_with("cache=512K").cache_bytes, std::size_t{512} << 10);
  EXPECT_EQ(mount_with("cache=3m").cache_bytes, std::size_t{3} << 20);
  EXPECT_EQ(mount_with("cache=2G").cache_bytes, std::size_t{2} << 30);
  EXPECT_EQ(mount_with("answers=0").library.answer_bytes, 0);
  EXPECT_EQ(mount_with("answers=8M").library.answer_bytes, std::size_t{8} << 20);
  EXPECT_EQ(mount_with("index=none").library.answer_bytes, std::size_t{64} << 20);
  EXPECT_EQ(mount_with("questions=64M").question_bytes, std::size_t{64} << 20);
  EXPECT_EQ(mount_with("cache=0").question_bytes, std::size_t{512} << 20);
}

TEST(Options, ParseOptionsOfTextAndIndex) {
  const MountOptions mount = mount_with(
      "comments=no,variations=no,nags=no,width=0,tags=roster,deleted=show,order=round,"
      "index=background,source=remote,threads=3,"
      "patience=60");
  EXPECT_FALSE(mount.library.database.pgn.comments);
  EXPECT_FALSE(mount.library.database.pgn.variations);
  EXPECT_FALSE(mount.library.database.pgn.nags);
  EXPECT_EQ(mount.library.database.pgn.width, 0);
  EXPECT_FALSE(mount.library.database.pgn.all_tags);
  EXPECT_TRUE(mount.library.database.show_deleted);
  EXPECT_TRUE(mount.library.database.by_round);
  EXPECT_EQ(mount_with("csv=excel").library.database.csv, CsvForm::Excel);
  EXPECT_EQ(mount_with("csv=excel,csv=plain").library.database.csv, CsvForm::Plain);
  EXPECT_EQ(mount.library.database.pages, PagesMode::Unlisted);
  EXPECT_EQ(mount_with("pages=no").library.database.pages, PagesMode::None);
  EXPECT_EQ(mount_with("pages=list").library.database.pages, PagesMode::Listed);
  EXPECT_EQ(mount_with("pages=list,pages=yes").library.database.pages, PagesMode::Unlisted);
  EXPECT_EQ(mount.library.index, IndexMode::Background);
  EXPECT_EQ(mount.library.locality, Locality::Remote);
  EXPECT_EQ(mount_with("source=local").library.locality, Locality::Local);
  EXPECT_EQ(mount_with("source=local,source=auto").library.locality, Locality::Auto);
  EXPECT_EQ(mount.library.threads, 3);
  EXPECT_EQ(mount.library.patience, std::chrono::seconds(60));
  EXPECT_EQ(mount.library.first_patience, std::chrono::seconds(60));
  EXPECT_EQ(mount_with("patience=0").library.patience, std::chrono::seconds(0));
  EXPECT_EQ(mount_with("index=none").library.index, IndexMode::None);
  EXPECT_EQ(mount_with("index=none,index=auto").library.index, IndexMode::Auto);
  EXPECT_EQ(mount_with("index=none,index=wait").library.index, IndexMode::Wait);
  EXPECT_TRUE(mount_with("tags=roster,tags=all").library.database.pgn.all_tags);
  EXPECT_FALSE(mount_with("order=round,order=database").library.database.by_round);
  EXPECT_EQ(mount_with("width=20").library.database.pgn.width, 20);
  EXPECT_EQ(mount_with("width=10000").library.database.pgn.width, 10000);
  const auto encodings =
      mount_with("encoding=1251,encoding=1252:a/b.si4,encoding=1251:old/").library.encodings;
  ASSERT_EQ(encodings.size(), 3U);
  EXPECT_EQ(encodings[0].path, "");
  EXPECT_EQ(encodings[0].page, codec::CodePage::Windows1251);
  EXPECT_EQ(encodings[1].path, "a/b.si4");
  EXPECT_EQ(encodings[1].page, codec::CodePage::Windows1252);
  EXPECT_EQ(encodings[2].path, "old");
}

TEST(Options, ParseCacheFolder) {
  EXPECT_TRUE(mount_with("cache_dir=none").library.database.cache_folder.empty());
  EXPECT_EQ(mount_with("cache_dir=/var/tmp/x/").library.database.cache_folder, "/var/tmp/x");
  EXPECT_EQ(mount_with("cache_dir=/var/tmp/x").library.unpack.folder, "/var/tmp/x");
  EXPECT_EQ(mount_with("unpack=memory").library.unpack.to, UnpackTo::Memory);
  EXPECT_EQ(mount_with("cache_dir=/x,unpack=file").library.unpack.to, UnpackTo::File);
  EXPECT_EQ(mount_with("cache_dir=x").library.database.cache_folder,
            std::filesystem::current_path() / "x");
}

TEST(Options, ParseDataFiles) {
  const DataFileChoices installed = installed_data_files();
  EXPECT_EQ(mount_with("width=80").data_files.eco.path, installed.eco.path);
  EXPECT_EQ(mount_with("eco=none,eco=auto").data_files.eco.path, installed.eco.path);
  EXPECT_FALSE(mount_with("spelling=auto").data_files.spelling.is_named);
  EXPECT_TRUE(mount_with("spelling=none").data_files.spelling.path.empty());
  const DataFileChoice named = mount_with("spelling=names.ssp").data_files.spelling;
  EXPECT_EQ(named.path, std::filesystem::current_path() / "names.ssp");
  EXPECT_TRUE(named.is_named);
  const auto list_of = [](const std::string& options) {
    return mount_with(options).data_files.fide;
  };
  EXPECT_EQ(list_of("fide=list.zip").path, std::filesystem::current_path() / "list.zip");
  EXPECT_TRUE(list_of("fide=list.zip").is_named);
  EXPECT_EQ(list_of("fide=list.zip,fide=auto").path, list_of("width=80").path);
  EXPECT_TRUE(list_of("fide=list.zip,fide=none").path.empty());
  EXPECT_TRUE(list_of("fide=list.zip,people=scid").path.empty());
}

TEST(Options, ParseSandbox) {
  EXPECT_EQ(mount_with("nosuid").sandbox, SandboxMode::Auto);
  EXPECT_EQ(mount_with("sandbox=auto").sandbox, SandboxMode::Auto);
  EXPECT_EQ(mount_with("sandbox=strict").sandbox, SandboxMode::Strict);
  EXPECT_EQ(mount_with("sandbox=off").sandbox, SandboxMode::Off);
  EXPECT_FALSE(mount_with("nosuid").library.follow_links);
  EXPECT_TRUE(mount_with("follow").library.follow_links);
}

TEST(Options, ParseRunAs) {
  EXPECT_FALSE(mount_with("nosuid").run_as.has_value());
  EXPECT_THAT(error_with("run_as=no such one"), HasSubstr("no such user: 'no such one'"));
  EXPECT_THAT(error_with("run_as="), HasSubstr("requires a user"));
  if (geteuid() != 0) {
    EXPECT_THAT(error_with("run_as=root"), HasSubstr("only root may use"));
    GTEST_SKIP() << "the rest needs root";
  }
  const MountOptions daemon = mount_with("run_as=daemon");
  ASSERT_TRUE(daemon.run_as.has_value());
  EXPECT_EQ(daemon.run_as->name, "daemon");
  EXPECT_EQ(daemon.uid, daemon.run_as->uid);
  EXPECT_EQ(daemon.gid, daemon.run_as->gid);
  EXPECT_EQ(daemon.library.database.cache_folder, daemon.run_as->home / ".cache/scidfs");
  // By number; and the more specific option wins.
  const MountOptions exact =
      mount_with("uid=7,cache_dir=none,run_as=" + std::to_string(daemon.run_as->uid) + ",gid=8");
  EXPECT_EQ(exact.run_as->name, "daemon");
  EXPECT_EQ(exact.uid, 7);
  EXPECT_EQ(exact.gid, 8);
  EXPECT_TRUE(exact.library.database.cache_folder.empty());
}

TEST(Options, ParseOwnerAndModes) {
  const MountOptions owner = mount_with("uid=1234,gid=0");
  EXPECT_EQ(owner.uid, 1234);
  EXPECT_EQ(owner.gid, 0);
  EXPECT_EQ(mount_with("umask=077").file_mode, 0400);
  EXPECT_EQ(mount_with("umask=077").directory_mode, 0500);
  // The specific ones win, in any order.
  for (const char* const list : {"umask=077,fmask=007,dmask=0", "fmask=007,dmask=0,umask=077"}) {
    EXPECT_EQ(mount_with(list).file_mode, 0440) << list;
    EXPECT_EQ(mount_with(list).directory_mode, 0555) << list;
  }
}

TEST(Options, PassOnOptionsOfFuse) {
  struct Case {
    std::string list;
    std::vector<std::string> passed_on, left_out;
  };
  const std::vector<Case> cases = {
      {"nosuid", {"ro", "default_permissions", "subtype=scidfs"}, {}},
      {"allow_other,nosuid,nodev,noexec,noatime,sync,context=a:b:c",
       {"allow_other", "nosuid", "nodev", "noexec", "noatime", "sync", "context=a:b:c"},
       {}},
      {"allow_root", {"allow_root"}, {}},
      {"fsname=chess,subtype=pgn", {"fsname=chess", "subtype=pgn"}, {"fsname=/src"}},
      // As mount(8) calls through mount.fuse3: mount -t fuse.scidfs /src /mnt -o cache=5M
      {"rw,cache=5M,dev,suid", {"ro"}, {"rw"}},
  };
  for (const Case& test : cases) {
    const std::vector<std::string> options = mount_with(test.list).fuse_options;
    for (const std::string& one : test.passed_on) EXPECT_THAT(options, Contains(one)) << test.list;
    for (const std::string& one : test.left_out) EXPECT_THAT(options, Not(Contains(one)));
  }
  EXPECT_THAT(mount_with("nosuid").fuse_options, Not(Contains(StartsWith("fsname="))));
}

TEST(Options, IgnoreOptionsMeantForOtherPrograms) {
  const std::size_t usual = mount_with("").fuse_options.size();
  const MountOptions mount = mount_with(
      "nofail,_netdev,user,users,nouser,owner,group,auto,noauto,defaults,x-systemd.automount,"
      "x-gvfs-show,comment=mine,user=bob,dev,suid,ro,clone_fd,default_permissions,relatime,,");
  EXPECT_EQ(mount.fuse_options.size(), usual);
  EXPECT_THAT(mount.fuse_options, Each(Not(AnyOf("suid", "dev"))));
}

TEST(Options, ParseNonempty) {
  EXPECT_FALSE(mount_with("nosuid").nonempty);
  EXPECT_TRUE(mount_with("nonempty").nonempty);
}

TEST(Options, UnescapeAsLibfuseDoes) {
  EXPECT_EQ(mount_with(R"(cache_dir=/a\,b,width=30)").library.database.cache_folder, "/a,b");
  EXPECT_EQ(mount_with(R"(cache_dir=/a\\b)").library.database.cache_folder, "/a\\b");
  EXPECT_EQ(mount_with(R"(cache_dir=/a\054b\0541)").library.database.cache_folder, "/a,b,1");
  EXPECT_EQ(mount_with(R"(cache_dir=/a\05)").library.database.cache_folder, "/a05");
  EXPECT_EQ(mount_with("cache_dir=/a\\").library.database.cache_folder, "/a\\");
}

TEST(Options, PathsBecomeAbsoluteButAreNotNormalized) {
  const std::filesystem::path here = std::filesystem::current_path();
  const auto command = parse({"some/../databases/", "mnt"});
  ASSERT_TRUE(command.ok()) << command.status();
  // Only the folders on disk determine the meaning of `..`.
  EXPECT_EQ(command->mount.source.native(), (here / "some/../databases").native());
  EXPECT_EQ(command->mount.mountpoint, here / "mnt");
  const auto root = parse({"/", "/mnt//"});
  ASSERT_TRUE(root.ok());
  EXPECT_EQ(root->mount.source, "/");
  EXPECT_EQ(root->mount.mountpoint, "/mnt");
  const auto dashes = parse({"--", "-src", "-mnt"});
  ASSERT_TRUE(dashes.ok());
  EXPECT_EQ(dashes->mount.source, here / "-src");
}

TEST(Options, ReportMissingAndUnexpectedArguments) {
  const std::vector<std::pair<std::vector<const char*>, std::string>> cases = {
      {{"-f"}, "SOURCE is missing"},
      {{"/src", "/mnt", "more"}, "unexpected argument 'more'"},
      {{"", "/mnt"}, "SOURCE is empty"},
      {{"/src", ""}, "MOUNTPOINT is empty"},
      {{"/src", "/mnt", "-o"}, "-o requires a value"},
      {{"/src", "/mnt", "-x"}, "unknown option '-x'"},
      {{"/src", "/mnt", "--foreground"}, "unknown option '--foreground'"},
      {{"-u"}, "SOURCE is missing"},
      {{"-u", "/src", "/mnt"}, "unexpected argument '/mnt'"},
      {{"--check"}, "SOURCE is missing"},
      {{"--check", ""}, "SOURCE is empty"},
      {{"--check", "/src", "/mnt"}, "unexpected argument '/mnt'"},
      {{"/src", "/mnt", "--verbose"}, "--verbose requires --check"},
      {{"--check=yes", "/src"}, "--check takes no value"},
  };
  for (const auto& [words, error] : cases) EXPECT_EQ(error_of(words), error);
}

TEST(Options, ReportInvalidLists) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"foo", "unknown option 'foo'"},
      {"width=40,foo=3,nosuid", "unknown option 'foo'"},
      {"Cache=3", "unknown option 'Cache'"},
      {"cache", "option cache requires a size such as 0, 512K, 64M or 1G"},
      {"index=later", "option index requires auto, wait, background or none, not 'later'"},
      {"source=cloud", "option source requires auto, local or remote, not 'cloud'"},
      {"unpack=disk", "option unpack requires auto, memory or file, not 'disk'"},
      {"unpack=file,cache_dir=none", "option unpack=file requires a cache_dir"},
      {"deleted=yes", "option deleted requires hide or show, not 'yes'"},
      {"cache_dir=", "option cache_dir requires a folder, or none, not ''"},
      {"eco=", "option eco requires a file, auto or none, not ''"},
      {"uid=root", "option uid requires a user's number, not 'root'"},
      {"gid=4294967295", "option gid requires a group's number, not '4294967295'"},
      {"fsname=", "option fsname requires a name, not ''"},
      {"context", "option context requires a value"},
      {"allow_other,allow_root", "options allow_other and allow_root exclude each other"},
  };
  for (const auto& [list, error] : cases) EXPECT_EQ(error_with(list), error);
  for (const std::string name : {"allow_other", "ro", "rw", "nofail", "noexec", "debug"}) {
    EXPECT_EQ(error_with(name + "=1"), "option " + name + " takes no value");
  }
}

TEST(Options, ReportInvalidValues) {
  struct Case {
    std::vector<std::string> names;
    std::string required;
    std::vector<std::string> values;
  };
  const std::vector<Case> cases = {
      {{"cache"},
       "a size such as 0, 512K, 64M or 1G, not '",
       {"", "M", "-1", "1.5G", "12T", "12 M", "64MB", "99999999999999999999", "99999999999999G"}},
      {{"comments", "variations", "nags"}, "yes or no, not '", {"maybe"}},
      {{"pages"}, "yes, no or list, not '", {"", "all"}},
      {{"width"}, "a number of columns", {"19", "10001", "-5", "", "eighty"}},
      {{"encoding"},
       "a code page that this system knows",
       {"", "1", "500", "names:", "utf-8", "1251:", "1251:/", ":a"}},
      {{"threads"}, "a number from 1 to 1024", {"0", "1025", "x"}},
      {{"patience"}, "a number of seconds from 0 to 60", {"-1", "61", "", "x"}},
      {{"umask", "fmask", "dmask"}, "an octal number", {"8", "1000", "", "-1"}},
      {{"sandbox"}, "auto, strict or off, not '", {"no"}},
  };
  for (const Case& test : cases) {
    for (const std::string& name : test.names) {
      for (const std::string& value : test.values) {
        const std::string error = error_with(name + "=" + value);
        EXPECT_THAT(error, StartsWith("option " + name + " requires " + test.required));
        EXPECT_THAT(error, EndsWith("not '" + value + "'"));
      }
    }
  }
}

TEST(MountHelper, IsRecognizedByItsName) {
  EXPECT_TRUE(is_mount_helper("/sbin/mount.scidfs"));
  EXPECT_TRUE(is_mount_helper("mount.fuse.scidfs"));
  EXPECT_FALSE(is_mount_helper("/usr/bin/scidfs"));
  EXPECT_FALSE(is_mount_helper("/opt/mount.d/scidfs"));
  EXPECT_FALSE(is_mount_helper(""));
}

absl::StatusOr<CommandLine> parse_helper(const std::vector<const char*>& words) {
  return parse_helper_line(words);
}

// mount(8) has options of its own, some of which mean something else to scidfs.
TEST(MountHelper, AcceptsOptionsOfMount) {
  const auto command =
      parse_helper({"/src", "/mnt", "-n", "-v", "-o", "rw,nofail,width=0", "-t", "fuse.scidfs"});
  ASSERT_TRUE(command.ok()) << command.status();
  EXPECT_EQ(command->action, CommandLine::Action::Mount);
  EXPECT_EQ(command->mount.source, "/src");
  EXPECT_EQ(command->mount.mountpoint, "/mnt");
  EXPECT_EQ(command->mount.library.database.pgn.width, 0);
  EXPECT_FALSE(command->mount.foreground);
  EXPECT_FALSE(command->mount.single_thread);

  const auto tried = parse_helper({"/src", "/mnt", "-f", "-o", "rw"});
  ASSERT_TRUE(tried.ok()) << tried.status();
  EXPECT_EQ(tried->action, CommandLine::Action::Pretend);
}

TEST(MountHelper, IgnoresUnknownOptionsIfSloppy) {
  EXPECT_EQ(parse_helper({"/src", "/mnt", "-o", "colour=red"}).status().message(),
            "unknown option 'colour'");
  const auto sloppy = parse_helper({"/src", "/mnt", "-o", "colour=red,width=0", "-s"});
  ASSERT_TRUE(sloppy.ok()) << sloppy.status();
  EXPECT_EQ(sloppy->mount.library.database.pgn.width, 0);
  // An invalid value of a known option stays an error.
  EXPECT_FALSE(parse_helper({"/src", "/mnt", "-s", "-o", "width=-1"}).ok());
  EXPECT_FALSE(parse_helper({"/src", "-s"}).ok());
  EXPECT_THAT(parse_helper({"/src", "/mnt", "-N", "/proc/1/ns/mnt"}).status().message(),
              HasSubstr("nsenter"));
}

}  // namespace
}  // namespace scidfs::fs
