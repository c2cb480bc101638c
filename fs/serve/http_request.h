// What a client has asked for, and what it gets.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "fs/base/inode.h"
#include "fs/serve/conditions.h"
#include "fs/serve/metrics.h"
#include "fs/serve/request_target.h"
#include "fs/tree/block_reader.h"

namespace scidfs::fs {

// A request, as far as an answer depends on it. Header fields that were not sent are empty.
struct HttpRequest {
  std::string method;
  std::string raw_target;
  std::string host{};
  std::string accept{};
  std::string accept_encoding{};
  std::string depth{};  // of PROPFIND
  std::string body{};
  std::string if_match{};
  std::string if_none_match{};
  std::string if_modified_since{};
  std::string if_unmodified_since{};
  std::string range{};
  std::string if_range{};

  bool is_head() const { return method == "HEAD"; }
};

// A part of a file of the tree: the bytes from `first` on, after some text.
struct FilePart {
  std::string before{};
  ByteRange range;
};

// Bytes of a file, which are read while the client takes them.
struct FileBody {
  Inode inode = 0;
  std::vector<FilePart> parts{};
  std::string after{};  // the last part
  bool is_compressed = false;
  // The file's first bytes, if they have been read; else none.
  Slice begin{};
};

using HeaderFields = std::vector<std::pair<std::string, std::string>>;

struct HttpAnswer {
  unsigned status = 0;
  HeaderFields fields{};
  std::variant<std::string, FileBody> body{};
  AnswerKind kind = AnswerKind::Message;
};

}  // namespace scidfs::fs
