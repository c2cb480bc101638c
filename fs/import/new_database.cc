#include "fs/import/new_database.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <system_error>
#include <utility>

#include "codec/date.h"
#include "codec/scid/index_writer.h"
#include "codec/scid/record.h"
#include "codec/scid/record_encoder.h"
#include "codec/text.h"
#include "codec/variant.h"
#include "fs/base/status_macros.h"
#include "fs/file/aside.h"
#include "fs/file/folder.h"
#include "fs/file/unfinished.h"
#include "fs/import/signature.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::scid::Format;
using codec::scid::IndexEntry;
using codec::scid::NameKind;

constexpr std::string_view kScid4Suffix = ".si4";
constexpr std::string_view kScid5Suffix = ".si5";

absl::Status no_room(std::string_view what) {
  return absl::OutOfRangeError(fmt::format("the format has no room for more {}", what));
}

// Returns whether a tag of the record says that the game is Chess960.
bool says_chess960(Bytes record) {
  std::vector<codec::scid::ExtraTag> tags;
  codec::scid::parse_record_tags(record, tags);
  return std::ranges::any_of(tags, [](const codec::scid::ExtraTag& tag) {
    return tag.name == "Variant" && codec::names_chess960(codec::as_text(tag.value));
  });
}

}  // namespace

const NewDatabase::Limits NewDatabase::kLimits4 = {
    .games = (1U << 24U) - 2,
    .game_file = std::numeric_limits<std::uint32_t>::max(),
    .names = codec::scid::kMaxNames4,
    .name = codec::scid::kMaxName4};
const NewDatabase::Limits NewDatabase::kLimits5 = {
    .games = std::numeric_limits<std::uint32_t>::max() - 1,
    .game_file = std::uint64_t{1} << 47U,
    .names = {1U << 28U, 1U << 28U, std::numeric_limits<std::uint32_t>::max(), 1U << 31U},
    .name = codec::scid::kMaxNameBytes};

bool is_file_of_database(const std::filesystem::path& index_path, std::string_view name) {
  const Format* const format = codec::scid::format_of_index(index_path.native());
  if (format == nullptr) return false;
  const std::string stem = index_path.stem();
  return std::ranges::any_of(
      std::array{index_path.extension().native(), std::string(format->games_suffix),
                 std::string(format->names_suffix)},
      [&](const std::string& suffix) { return name == stem + suffix; });
}

std::string_view loss_text(Loss loss) {
  switch (loss) {
    case Loss::Name:
      return "a name is too long for the new database and was cut";
    case Loss::EventDate:
      return "the event date does not fit the new database and was left out";
    case Loss::Variant:
      return "the new database cannot tell that the game is Chess960";
    default:
      return "";
  }
}

absl::StatusOr<std::unique_ptr<NewDatabase>> NewDatabase::create(
    const std::filesystem::path& index_path, NewFile::Existing existing, const FileMaker& maker) {
  const std::string suffix = index_path.extension().string();
  if (suffix != kScid4Suffix && suffix != kScid5Suffix) {
    return absl::InvalidArgumentError(fmt::format(
        "Cannot write {}: the name of a database ends with .si5 or .si4", index_path.string()));
  }
  const Format& format = *codec::scid::format_of_index(suffix);
  std::unique_ptr<NewDatabase> database(new NewDatabase());
  database->limits_ = suffix == kScid4Suffix ? &kLimits4 : &kLimits5;
  database->existing_ = existing;
  database->index_path_ = index_path;
  database->games_path_ = std::filesystem::path(index_path).replace_extension(format.games_suffix);
  database->names_path_ = std::filesystem::path(index_path).replace_extension(format.names_suffix);
  const std::array paths = {&database->index_path_, &database->games_path_, &database->names_path_};
  for (const std::filesystem::path* const path : paths) {
    if (existing == NewFile::Existing::Replace || !has_name(*path)) continue;
    return absl::AlreadyExistsError(
        fmt::format("Cannot write {}: it is there already", path->string()));
  }
  database->cleans_up_ = !maker.is_for_owner_only();
  // The index of an append that was killed says which files there are its own, until the next one
  // has succeeded (signature.h).
  database->remove_unfinished(existing == NewFile::Existing::Replace);
  const std::array files = {&database->index_, &database->games_file_, &database->names_file_};
  for (std::size_t i = 0; i < paths.size(); ++i) {
    ASSIGN_OR_RETURN(std::unique_ptr<NewFile> file, NewFile::create(*paths[i], maker));
    *files[i] = std::move(file);
  }
  if (database->is_scid4()) {
    // Only the number of games is not known yet, which changes no size.
    codec::scid::append_index4_header({}, database->bytes_);
    RETURN_IF_ERROR(database->index_->append(database->bytes_));
  }
  return database;
}

absl::StatusOr<std::uint32_t> NewDatabase::use_name(NameKind kind, std::string_view name,
                                                    Loss& loss) {
  name = name.substr(0, name.find('\0'));
  const std::string_view kept = codec::cut_utf8(name, limits_->name);
  if (kept.size() != name.size()) loss = Loss::Name;
  Dictionary& dictionary = dictionaries_[static_cast<std::size_t>(kind)];
  std::vector<codec::scid::NameUses>& names = dictionary.names;
  if (names.empty() || names[dictionary.last_id].name != kept) {
    const auto found = dictionary.ids.find(kept);
    if (found == dictionary.ids.end()) return add_name(kind, kept);
    dictionary.last_id = found->second;
  }
  ++names[dictionary.last_id].uses;
  return dictionary.last_id;
}

absl::StatusOr<std::uint32_t> NewDatabase::add_name(NameKind kind, std::string_view name) {
  Dictionary& dictionary = dictionaries_[static_cast<std::size_t>(kind)];
  if (dictionary.names.size() >= limits_->names[static_cast<std::size_t>(kind)]) {
    return no_room("names");
  }
  const std::string_view text = dictionary.texts.emplace_back(name);
  const auto id = static_cast<std::uint32_t>(dictionary.names.size());
  dictionary.names.push_back({.name = text, .uses = 1});
  dictionary.last_id = id;
  dictionary.ids.emplace(text, id);
  if (is_scid4()) return id;
  bytes_.clear();
  codec::scid::append_name5(kind, text, bytes_);
  RETURN_IF_ERROR(names_file_->append(bytes_));
  return id;
}

absl::Status NewDatabase::use_names(const NewGame& game, IndexEntry& entry, Loss& loss) {
  // In the order of Scid.
  struct Use {
    NameKind kind;
    std::string_view name;
    std::uint32_t& id;
  };
  for (const Use& use :
       {Use{NameKind::Event, game.event, entry.event}, Use{NameKind::Site, game.site, entry.site},
        Use{NameKind::Round, game.round, entry.round},
        Use{NameKind::Player, game.white, entry.white},
        Use{NameKind::Player, game.black, entry.black}}) {
    ASSIGN_OR_RETURN(const std::uint32_t id, use_name(use.kind, use.name, loss));
    use.id = id;
  }
  return absl::OkStatus();
}

Loss NewDatabase::find_front(const NewGame& game) {
  front_.clear();
  if (!is_scid4()) return Loss::None;
  const auto fits = [&] {
    return front_.size() + game.record.size() <= codec::scid::kMaxRecordSize;
  };
  const IndexEntry& entry = game.entry;
  if (!entry.event_date.empty() && !codec::scid::index4_has_event_date(entry)) {
    codec::scid::append_tag("EventDate", codec::to_string(entry.event_date), front_);
    if (!fits()) {
      front_.clear();
      return Loss::EventDate;
    }
  }
  if (!entry.chess960 || says_chess960(game.record)) return Loss::None;
  const std::size_t before = front_.size();
  codec::scid::append_tag("Variant", "Chess960", front_);
  if (fits()) return Loss::None;
  front_.resize(before);
  return Loss::Variant;
}

absl::Status NewDatabase::add_record(Bytes record, IndexEntry& entry) {
  // Scid fills the rest of a block with the beginning of the record that has no room there.
  constexpr std::uint64_t kBlock = codec::scid::kMaxRecordSize + 1;
  const std::size_t length = front_.size() + record.size();
  const std::uint64_t left = kBlock - games_file_->size() % kBlock;
  if (length > left) {
    const std::size_t of_front = std::min<std::size_t>(front_.size(), left);
    absl::Status status = games_file_->append(Bytes(front_).first(of_front));
    status.Update(games_file_->append(record.first(left - of_front)));
    if (!status.ok()) return status;
  }
  entry.offset = games_file_->size();
  entry.length = static_cast<std::uint32_t>(length);
  if (entry.offset + length > limits_->game_file) return no_room("bytes of games");
  absl::Status status = games_file_->append(Bytes(front_));
  status.Update(games_file_->append(record));
  return status;
}

absl::StatusOr<Loss> NewDatabase::add(const NewGame& game) {
  if (games_ == limits_->games) return no_room("games");
  IndexEntry entry = game.entry;
  Loss loss = find_front(game);
  absl::Status status = add_record(game.record, entry);
  if (status.ok()) status = use_names(game, entry, loss);
  if (!status.ok()) return status;
  bytes_.clear();
  if (is_scid4()) {
    codec::scid::append_index4_entry(entry, bytes_);
  } else {
    codec::scid::append_index5_entry(entry, bytes_);
  }
  if (status = index_->append(bytes_); !status.ok()) return status;
  ++games_;
  return loss;
}

absl::Status NewDatabase::write_rest(const std::optional<codec::scid::DatabaseInfo>& info) {
  bytes_.clear();
  if (!is_scid4()) {
    codec::scid::append_info5(info.value_or(codec::scid::DatabaseInfo()), bytes_);
    return names_file_->append(bytes_);
  }
  codec::scid::IndexHeader header;
  header.autoload = 1;
  if (info.has_value()) static_cast<codec::scid::DatabaseInfo&>(header) = *info;
  header.games = static_cast<std::uint32_t>(games_);
  codec::scid::append_index4_header(header, bytes_);
  RETURN_IF_ERROR(index_->patch(0, bytes_));
  bytes_.clear();
  const auto names = [this](std::size_t kind) { return std::span(dictionaries_[kind].names); };
  codec::scid::append_names4({names(0), names(1), names(2), names(3)}, bytes_);
  return names_file_->append(bytes_);
}

absl::Status NewDatabase::commit(const std::optional<codec::scid::DatabaseInfo>& info,
                                 bool is_signed) {
  absl::Status status = write_rest(info);
  if (status.ok() && is_signed) {
    const bool replaces = existing_ == NewFile::Existing::Replace;
    status = sign(*index_, *games_file_, *names_file_, replaces ? index_path_ : "");
  }
  for (NewFile* const file : {games_file_.get(), names_file_.get(), index_.get()}) {
    if (status.ok()) status = file->sync();
  }
  if (status.ok()) status = put_in_place();
  if (status.ok()) remove_unfinished(false);
  return status;
}

void NewDatabase::remove_unfinished(bool keeps_index) const {
  if (!cleans_up_) return;
  remove_abandoned(folder_of(index_path_), [&](std::string_view name) {
    return is_file_of_database(index_path_, name) &&
           !(keeps_index && name == index_path_.filename().native());
  });
}

// The index comes last: without it there is no database, and the one that is replaced still fits to
// the new games and names, which begin with its own. A signal that ends the process takes effect
// before or afterwards.
absl::Status NewDatabase::put_in_place() {
  const std::filesystem::path folder = folder_of(index_path_);
  UnbrokenStep step;
  std::vector<const std::filesystem::path*> placed;
  absl::Status status;
  const auto place = [&](NewFile& file, const std::filesystem::path& path) {
    if (!status.ok()) return;
    status = file.put_in_place(existing_, step);
    if (status.ok()) placed.push_back(&path);
  };
  place(*games_file_, games_path_);
  place(*names_file_, names_path_);
  if (status.ok()) status = sync_folder(folder);
  place(*index_, index_path_);
  if (status.ok()) return sync_folder(folder);
  if (existing_ == NewFile::Existing::Replace) {
    // For the next append: new files beside the old index.
    if (!placed.empty()) index_->leave(step);
    return status;
  }
  for (const std::filesystem::path* const path : placed) {
    std::error_code ignored;
    std::filesystem::remove(*path, ignored);
  }
  return status;
}

}  // namespace scidfs::fs
