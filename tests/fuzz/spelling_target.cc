// Scid's spelling file: names, data of players, and the corrections of any name.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "codec/text.h"
#include "fs/file/private_file.h"
#include "fs/reference/spelling.h"
#include "tests/fuzz/target.h"
#include "tests/support/files.h"

namespace scidfs::fuzz {
namespace {

bool is_clean(std::string_view text) {
  return codec::is_utf8(tests::as_bytes(text)) && text.find('\n') == std::string_view::npos;
}

fs::SourceFile file_of(std::string_view bytes) {
  const absl::StatusOr<std::shared_ptr<fs::PrivateFile>> file = fs::PrivateFile::make({});
  require(file.ok() && (*file)->append(tests::as_bytes(bytes)).ok(), "no room for a file");
  fs::UnpackedFile unpacked{.bytes = fs::PrivateRange(*file, 0, bytes.size()), .stamp = {}};
  unpacked.stamp.size = bytes.size();
  auto files = std::make_shared<fs::UnpackedFiles>();
  files->emplace("x.ssp", unpacked);
  absl::StatusOr<fs::SourceFile> source =
      fs::SourceFile::open("x.ssp", std::shared_ptr<const fs::UnpackedFiles>(std::move(files)));
  require(source.ok(), "the file does not open");
  return *std::move(source);
}

class SpellingTarget : public Target {
 public:
  std::string_view name() const override { return "spelling"; }

  void check(std::string_view input) const override {
    const auto spelling = fs::Spelling::load(file_of(input), {});
    if (!spelling.ok()) {
      require(absl::IsInvalidArgument(spelling.status()), "a refusal of another kind");
      return;
    }
    for (std::uint32_t person = 0; person < (*spelling)->persons(); ++person) {
      check_person(**spelling, person);
    }
    for (const std::string_view name : {"Garry Kasparov", "Kasparov", "", "K", "x (USA)"}) {
      const fs::Spelling::Found found = (*spelling)->find_player(name);
      for (const auto& persons : {found.candidates, (*spelling)->find_meant(name, found).persons}) {
        for (const std::uint32_t person : persons) {
          require(person < (*spelling)->persons(), "a candidate that is nobody");
        }
      }
      for (const std::string& correct :
           {(*spelling)->correct_site(name), (*spelling)->correct_event(name),
            (*spelling)->correct_round(name)}) {
        require(is_clean(correct), "a correct name is not clean");
      }
    }
    check_kept(input);
  }

  std::vector<Seed> seeds() const override {
    return {
        {"people", tests::read_file(tests::test_data("spelling/people.ssp"))},
        {"one",
         "@PLAYER \"., -_*\"\nKasparov, Garry #GM RUS [2812] 1963.04.13--2099 wi\n"
         "  = Garry\n%Bio FIDEID 1\n%Elo 1990:2800,? 1991:1\n"},
        {"events", "@PLAYER\nx\n@EVENT \" \"\n%Prefix \"a\" \"aa\"\n%Infix \"a\" \"aa\"\nab\n"}};
  }

  void mutate(std::string& input, tests::Random& random, PlainMutator plain) const override {
    constexpr std::string_view kPieces[] = {"\n",        "@PLAYER \" \"\n",
                                            "@SITE\n",   "@EVENT\n",
                                            "@ROUND\n",  "= ",
                                            "#",         "%Bio ",
                                            "%Elo ",     "%Infix ",
                                            "%Suffix ",  "\"a\" ",
                                            "[",         "]",
                                            "--",        "1990",
                                            "????",      ":",
                                            "\xE9",      "\xC3",
                                            ", ",        "Kasparov",
                                            "FIDEID ",   "\x00\n",
                                            "+",         "gm",
                                            "9999999999"};
    insert_piece(kPieces, input, random, plain);
  }

 private:
  static void check_person(const fs::Spelling& spelling, std::uint32_t person) {
    const fs::SpellingIndex::Person of = spelling.person(person);
    require(is_clean(of.name) && is_clean(of.countries), "what is said of a person is not clean");
    const auto details = spelling.details(person);
    require(details.ok(), "a person has no details");
    for (const std::string& note : details->notes) require(is_clean(note), "a note is not clean");
  }
  // The cached form is the same after a round trip; any other is refused or harmless.
  static void check_kept(std::string_view input) {
    fs::SpellingIndexBuilder builder;
    codec::scid::LineCutter lines;
    const auto add = [&builder](std::uint64_t offset, std::string_view line) {
      builder.add(offset, line);
    };
    lines.add(input, add);
    lines.finish(add);
    const absl::StatusOr<fs::SpellingIndex> index = std::move(builder).finish(1);
    require(index.ok(), "an index that was there is not");
    const std::vector<std::uint32_t> words(index->words().begin(), index->words().end());
    require(fs::SpellingIndex::from(words).ok(), "what is kept is refused");
    for (std::size_t at = 0; at < std::min<std::size_t>(words.size(), 64); ++at) {
      std::vector<std::uint32_t> damaged = words;
      damaged[at] ^= 1U << at % 32;
      const absl::StatusOr<fs::SpellingIndex> other = fs::SpellingIndex::from(std::move(damaged));
      if (!other.ok()) continue;
      for (std::uint32_t person = 0; person < other->persons(); ++person) other->person(person);
      const std::uint32_t place = other->lower_bound("Kasparov");
      if (place < other->spellings()) other->match(place, "Kasparov");
    }
  }
};

}  // namespace

const Target& spelling_target() {
  static const SpellingTarget kTarget;
  return kTarget;
}

}  // namespace scidfs::fuzz
