#include "fs/views/search_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "codec/text.h"
#include "fs/base/names.h"
#include "fs/sets/facet.h"
#include "fs/sets/search.h"
#include "fs/views/all.h"
#include "fs/views/question_directory.h"
#include "fs/views/set_view.h"

namespace scidfs::fs {
namespace {

constexpr std::string_view kHelpName = "README.txt";
constexpr std::string_view kAgainst = "against/";

// What is listed in each search/, and goes no deeper by itself: whoever follows every listed name
// meets each game a few times more, not endlessly often.
constexpr std::array<std::string_view, 10> kListed = {
    "result=1-0", "result=0-1", "result=draw", "result=unknown", "eco=A",
    "eco=B",      "eco=C",      "eco=D",       "eco=E",          "annotated=any"};

std::optional<Child> refuse(const Version& version, std::string_view name,
                            std::string_view reason) {
  version.searches->refusals.note(Refusals::Kind::Facet, codec::clean_line(name), reason);
  return std::nullopt;
}

std::optional<Child> ask(const Version& version, Question question, std::string_view name) {
  absl::StatusOr<Child> child = question_directory(version, std::move(question), name);
  if (!child.ok()) return refuse(version, name, std::string(child.status().message()));
  return *std::move(child);
}

// The facet that a name means; nothing, after a note, if it is none.
std::optional<Facet> facet_of(const Version& version, std::string_view name) {
  if (name.find('=') == std::string_view::npos) return std::nullopt;
  absl::StatusOr<Facet> facet = parse_facet(name);
  if (!facet.ok()) {
    refuse(version, name, std::string(facet.status().message()));
    return std::nullopt;
  }
  if (!knows_name(*version.database, *facet)) {
    refuse(version, name,
           "no directory has this name; without ~ and the number all that share it are meant");
    return std::nullopt;
  }
  return *std::move(facet);
}

}  // namespace

std::optional<Child> find_in_search(const Version& version, Place set, std::string_view name) {
  if (name == kHelpName) {
    return Child{.name = std::string(name),
                 .place = {.view = set.view, .level = kSetSearchHelp, .key = set.key}};
  }
  std::optional<Facet> facet = facet_of(version, name);
  if (!facet.has_value()) return std::nullopt;
  std::optional<Question> question =
      narrower(version, set, fmt::format("search/{}", name), {*std::move(facet)});
  if (!question.has_value()) return std::nullopt;
  return ask(version, *std::move(question), name);
}

std::optional<Child> find_in_answer(const Version& version, const Question& question,
                                    std::string_view name) {
  std::optional<Facet> facet = facet_of(version, name);
  if (!facet.has_value()) return std::nullopt;
  const FacetGroup& group = question.groups.back();
  if (std::ranges::find(group, facet->key, &Facet::key) != group.end()) {
    return refuse(version, name, "a key is there twice; another search/ may have it again");
  }
  Question longer = question;
  longer.path = fmt::format("{}/{}", question.path, name);
  longer.groups.back().push_back(*std::move(facet));
  return ask(version, std::move(longer), name);
}

std::optional<Child> find_against(const Version& version, Place set, std::string_view name) {
  const std::optional<std::string_view> opponent = strip_suffix(name, ".pgn");
  if (!opponent.has_value()) return std::nullopt;
  std::optional<Facet> facet = facet_of(version, fmt::format("opponent={}", *opponent));
  if (!facet.has_value()) return std::nullopt;
  std::optional<Question> question =
      narrower(version, set, fmt::format("{}{}", kAgainst, *opponent), {*std::move(facet)});
  if (!question.has_value()) return std::nullopt;
  const std::optional<Child> directory = ask(version, *std::move(question), name);
  if (!directory.has_value()) return std::nullopt;
  return question_view().games_file(std::string(name), directory->place.key);
}

bool is_against(const Question& question) {
  std::string_view path = question.path;
  path.remove_suffix(path.size() - (path.rfind('/') + 1));
  return path == kAgainst || path.ends_with(fmt::format("/{}", kAgainst));
}

bool is_listed(const Question& question) {
  constexpr std::string_view kSearch = "search/";
  const std::string_view path = question.path;
  return path.starts_with(kSearch) && std::ranges::count(kListed, path.substr(kSearch.size())) != 0;
}

void list_search(const Version& version, Place set, std::uint64_t first, EmitChild emit) {
  list_children(
      first, 1 + kListed.size(),
      [&](std::uint64_t i) {
        return find_in_search(version, set, i == 0 ? kHelpName : kListed[i - 1]);
      },
      emit);
}

}  // namespace scidfs::fs
