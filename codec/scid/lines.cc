#include "codec/scid/lines.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "codec/uci.h"

namespace scidfs::codec::scid {
namespace {

struct Line {
  std::string_view san;
  std::string_view squares;  // from and to squares of every ply
};

// The lines in the order of the codes, from 1.
constexpr std::array<Line, kStoredLines> kLines = {{
    {"1.b3", "b2b3"},
    {"1.c4", "c2c4"},
    {"1.c4 c5", "c2c4c7c5"},
    {"1.c4 c5 2.Nf3", "c2c4c7c5g1f3"},
    {"1.c4 e5", "c2c4e7e5"},
    {"1.c4 e5 2.Nc3", "c2c4e7e5b1c3"},
    {"1.c4 e5 2.Nc3 Nf6", "c2c4e7e5b1c3g8f6"},
    {"1.c4 e6", "c2c4e7e6"},
    {"1.c4 e6 2.Nf3", "c2c4e7e6g1f3"},
    {"1.c4 g6", "c2c4g7g6"},
    {"1.c4 Nf6", "c2c4g8f6"},
    {"1.c4 Nf6 2.Nc3", "c2c4g8f6b1c3"},
    {"1.c4 Nf6 2.Nc3 e6", "c2c4g8f6b1c3e7e6"},
    {"1.c4 Nf6 2.Nc3 g6", "c2c4g8f6b1c3g7g6"},
    {"1.d4", "d2d4"},
    {"1.d4 d5", "d2d4d7d5"},
    {"1.d4 d5 2.c4", "d2d4d7d5c2c4"},
    {"1.d4 d5 2.c4 c6", "d2d4d7d5c2c4c7c6"},
    {"1.d4 d5 2.c4 c6 3.Nc3", "d2d4d7d5c2c4c7c6b1c3"},
    {"1.d4 d5 2.c4 c6 3.Nc3 Nf6", "d2d4d7d5c2c4c7c6b1c3g8f6"},
    {"1.d4 d5 2.c4 c6 3.Nc3 Nf6 4.Nf3", "d2d4d7d5c2c4c7c6b1c3g8f6g1f3"},
    {"1.d4 d5 2.c4 c6 3.Nf3", "d2d4d7d5c2c4c7c6g1f3"},
    {"1.d4 d5 2.c4 c6 3.Nf3 Nf6", "d2d4d7d5c2c4c7c6g1f3g8f6"},
    {"1.d4 d5 2.c4 c6 3.Nf3 Nf6 4.Nc3", "d2d4d7d5c2c4c7c6g1f3g8f6b1c3"},
    {"1.d4 d5 2.c4 c6 3.Nf3 Nf6 4.Nc3 e6", "d2d4d7d5c2c4c7c6g1f3g8f6b1c3e7e6"},
    {"1.d4 d5 2.c4 dxc4", "d2d4d7d5c2c4d5c4"},
    {"1.d4 d5 2.c4 dxc4 3.Nf3", "d2d4d7d5c2c4d5c4g1f3"},
    {"1.d4 d5 2.c4 dxc4 3.Nf3 Nf6", "d2d4d7d5c2c4d5c4g1f3g8f6"},
    {"1.d4 d5 2.c4 e6", "d2d4d7d5c2c4e7e6"},
    {"1.d4 d5 2.c4 e6 3.Nc3", "d2d4d7d5c2c4e7e6b1c3"},
    {"1.d4 d5 2.c4 e6 3.Nc3 c6", "d2d4d7d5c2c4e7e6b1c3c7c6"},
    {"1.d4 d5 2.c4 e6 3.Nc3 Nf6", "d2d4d7d5c2c4e7e6b1c3g8f6"},
    {"1.d4 d5 2.c4 e6 3.Nf3", "d2d4d7d5c2c4e7e6g1f3"},
    {"1.d4 d5 2.Nf3", "d2d4d7d5g1f3"},
    {"1.d4 d5 2.Nf3 Nf6", "d2d4d7d5g1f3g8f6"},
    {"1.d4 d5 2.Nf3 Nf6 3.c4", "d2d4d7d5g1f3g8f6c2c4"},
    {"1.d4 d5 2.Nf3 Nf6 3.c4 c6", "d2d4d7d5g1f3g8f6c2c4c7c6"},
    {"1.d4 d5 2.Nf3 Nf6 3.c4 e6", "d2d4d7d5g1f3g8f6c2c4e7e6"},
    {"1.d4 d6", "d2d4d7d6"},
    {"1.d4 d6 2.Nf3", "d2d4d7d6g1f3"},
    {"1.d4 e6", "d2d4e7e6"},
    {"1.d4 e6 2.c4", "d2d4e7e6c2c4"},
    {"1.d4 e6 2.c4 Nf6", "d2d4e7e6c2c4g8f6"},
    {"1.d4 f5", "d2d4f7f5"},
    {"1.d4 f5 2.g3 Nf6 3.Bg2", "d2d4f7f5g2g3g8f6f1g2"},
    {"1.d4 g6", "d2d4g7g6"},
    {"1.d4 g6 2.c4 Bg7", "d2d4g7g6c2c4f8g7"},
    {"1.d4 Nf6", "d2d4g8f6"},
    {"1.d4 Nf6 2.Bg5", "d2d4g8f6c1g5"},
    {"1.d4 Nf6 2.Bg5 Ne4", "d2d4g8f6c1g5f6e4"},
    {"1.d4 Nf6 2.c4", "d2d4g8f6c2c4"},
    {"1.d4 Nf6 2.c4 c5", "d2d4g8f6c2c4c7c5"},
    {"1.d4 Nf6 2.c4 c5 3.d5", "d2d4g8f6c2c4c7c5d4d5"},
    {"1.d4 Nf6 2.c4 c5 3.d5 b5", "d2d4g8f6c2c4c7c5d4d5b7b5"},
    {"1.d4 Nf6 2.c4 c5 3.d5 b5 4.cxb5 a6", "d2d4g8f6c2c4c7c5d4d5b7b5c4b5a7a6"},
    {"1.d4 Nf6 2.c4 e6 3.g3", "d2d4g8f6c2c4e7e6g2g3"},
    {"1.d4 Nf6 2.c4 e6 3.g3 d5", "d2d4g8f6c2c4e7e6g2g3d7d5"},
    {"1.d4 Nf6 2.c4 e6 3.Nc3", "d2d4g8f6c2c4e7e6b1c3"},
    {"1.d4 Nf6 2.c4 e6 3.Nc3 Bb4", "d2d4g8f6c2c4e7e6b1c3f8b4"},
    {"1.d4 Nf6 2.c4 e6 3.Nc3 Bb4 4.e3", "d2d4g8f6c2c4e7e6b1c3f8b4e2e3"},
    {"1.d4 Nf6 2.c4 e6 3.Nc3 Bb4 4.e3 O-O", "d2d4g8f6c2c4e7e6b1c3f8b4e2e3e8g8"},
    {"1.d4 Nf6 2.c4 e6 3.Nc3 Bb4 4.Qc2", "d2d4g8f6c2c4e7e6b1c3f8b4d1c2"},
    {"1.d4 Nf6 2.c4 e6 3.Nc3 Bb4 4.Qc2 O-O", "d2d4g8f6c2c4e7e6b1c3f8b4d1c2e8g8"},
    {"1.d4 Nf6 2.c4 e6 3.Nc3 Bb4 4.Qc2 O-O 5.a3 Bxc3+ 6.Qxc3",
     "d2d4g8f6c2c4e7e6b1c3f8b4d1c2e8g8a2a3b4c3c2c3"},
    {"1.d4 Nf6 2.c4 e6 3.Nc3 d5", "d2d4g8f6c2c4e7e6b1c3d7d5"},
    {"1.d4 Nf6 2.c4 e6 3.Nf3", "d2d4g8f6c2c4e7e6g1f3"},
    {"1.d4 Nf6 2.c4 e6 3.Nf3 b6", "d2d4g8f6c2c4e7e6g1f3b7b6"},
    {"1.d4 Nf6 2.c4 e6 3.Nf3 b6 4.a3", "d2d4g8f6c2c4e7e6g1f3b7b6a2a3"},
    {"1.d4 Nf6 2.c4 e6 3.Nf3 b6 4.g3", "d2d4g8f6c2c4e7e6g1f3b7b6g2g3"},
    {"1.d4 Nf6 2.c4 e6 3.Nf3 b6 4.g3 Ba6", "d2d4g8f6c2c4e7e6g1f3b7b6g2g3c8a6"},
    {"1.d4 Nf6 2.c4 e6 3.Nf3 Bb4+", "d2d4g8f6c2c4e7e6g1f3f8b4"},
    {"1.d4 Nf6 2.c4 e6 3.Nf3 d5", "d2d4g8f6c2c4e7e6g1f3d7d5"},
    {"1.d4 Nf6 2.c4 e6 3.Nf3 d5 4.Nc3", "d2d4g8f6c2c4e7e6g1f3d7d5b1c3"},
    {"1.d4 Nf6 2.c4 g6", "d2d4g8f6c2c4g7g6"},
    {"1.d4 Nf6 2.c4 g6 3.Nc3 Bg7", "d2d4g8f6c2c4g7g6b1c3f8g7"},
    {"1.d4 Nf6 2.c4 g6 3.Nc3 Bg7 4.e4", "d2d4g8f6c2c4g7g6b1c3f8g7e2e4"},
    {"1.d4 Nf6 2.c4 g6 3.Nc3 Bg7 4.e4 d6", "d2d4g8f6c2c4g7g6b1c3f8g7e2e4d7d6"},
    {"1.d4 Nf6 2.c4 g6 3.Nc3 Bg7 4.e4 d6 5.Be2 O-O", "d2d4g8f6c2c4g7g6b1c3f8g7e2e4d7d6f1e2e8g8"},
    {"1.d4 Nf6 2.c4 g6 3.Nc3 Bg7 4.e4 d6 5.Be2 O-O 6.Nf3",
     "d2d4g8f6c2c4g7g6b1c3f8g7e2e4d7d6f1e2e8g8g1f3"},
    {"1.d4 Nf6 2.c4 g6 3.Nc3 Bg7 4.e4 d6 5.f3", "d2d4g8f6c2c4g7g6b1c3f8g7e2e4d7d6f2f3"},
    {"1.d4 Nf6 2.c4 g6 3.Nc3 Bg7 4.e4 d6 5.f3 O-O", "d2d4g8f6c2c4g7g6b1c3f8g7e2e4d7d6f2f3e8g8"},
    {"1.d4 Nf6 2.c4 g6 3.Nc3 Bg7 4.e4 d6 5.f3 O-O 6.Be3",
     "d2d4g8f6c2c4g7g6b1c3f8g7e2e4d7d6f2f3e8g8c1e3"},
    {"1.d4 Nf6 2.c4 g6 3.Nc3 Bg7 4.e4 d6 5.Nf3 O-O", "d2d4g8f6c2c4g7g6b1c3f8g7e2e4d7d6g1f3e8g8"},
    {"1.d4 Nf6 2.c4 g6 3.Nc3 Bg7 4.e4 d6 5.Nf3 O-O 6.Be2",
     "d2d4g8f6c2c4g7g6b1c3f8g7e2e4d7d6g1f3e8g8f1e2"},
    {"1.d4 Nf6 2.c4 g6 3.Nc3 Bg7 4.e4 d6 5.Nf3 O-O 6.Be2 e5",
     "d2d4g8f6c2c4g7g6b1c3f8g7e2e4d7d6g1f3e8g8f1e2e7e5"},
    {"1.d4 Nf6 2.c4 g6 3.Nc3 Bg7 4.e4 d6 5.Nf3 O-O 6.Be2 e5 7.O-O",
     "d2d4g8f6c2c4g7g6b1c3f8g7e2e4d7d6g1f3e8g8f1e2e7e5e1g1"},
    {"1.d4 Nf6 2.c4 g6 3.Nc3 Bg7 4.e4 d6 5.Nf3 O-O 6.Be2 e5 7.O-O Nc6 8.d5 Ne7",
     "d2d4g8f6c2c4g7g6b1c3f8g7e2e4d7d6g1f3e8g8f1e2e7e5e1g1b8c6d4d5c6e7"},
    {"1.d4 Nf6 2.c4 g6 3.Nc3 d5", "d2d4g8f6c2c4g7g6b1c3d7d5"},
    {"1.d4 Nf6 2.c4 g6 3.Nc3 d5 4.Nf3", "d2d4g8f6c2c4g7g6b1c3d7d5g1f3"},
    {"1.d4 Nf6 2.c4 g6 3.Nc3 d5 4.cxd5 Nxd5", "d2d4g8f6c2c4g7g6b1c3d7d5c4d5f6d5"},
    {"1.d4 Nf6 2.c4 g6 3.Nc3 d5 4.cxd5 Nxd5 5.e4 Nxc3 6.bxc3 Bg7",
     "d2d4g8f6c2c4g7g6b1c3d7d5c4d5f6d5e2e4d5c3b2c3f8g7"},
    {"1.d4 Nf6 2.Nf3", "d2d4g8f6g1f3"},
    {"1.d4 Nf6 2.Nf3 c5", "d2d4g8f6g1f3c7c5"},
    {"1.d4 Nf6 2.Nf3 d5", "d2d4g8f6g1f3d7d5"},
    {"1.d4 Nf6 2.Nf3 e6", "d2d4g8f6g1f3e7e6"},
    {"1.d4 Nf6 2.Nf3 e6 3.Bg5", "d2d4g8f6g1f3e7e6c1g5"},
    {"1.d4 Nf6 2.Nf3 e6 3.c4", "d2d4g8f6g1f3e7e6c2c4"},
    {"1.d4 Nf6 2.Nf3 g6", "d2d4g8f6g1f3g7g6"},
    {"1.d4 Nf6 2.Nf3 g6 3.Bg5", "d2d4g8f6g1f3g7g6c1g5"},
    {"1.d4 Nf6 2.Nf3 g6 3.c4", "d2d4g8f6g1f3g7g6c2c4"},
    {"1.d4 Nf6 2.Nf3 g6 3.c4 Bg7", "d2d4g8f6g1f3g7g6c2c4f8g7"},
    {"1.d4 Nf6 2.Nf3 g6 3.c4 Bg7 4.Nc3", "d2d4g8f6g1f3g7g6c2c4f8g7b1c3"},
    {"1.d4 Nf6 2.Nf3 g6 3.c4 Bg7 4.Nc3 O-O", "d2d4g8f6g1f3g7g6c2c4f8g7b1c3e8g8"},
    {"1.d4 Nf6 2.Nf3 g6 3.g3", "d2d4g8f6g1f3g7g6g2g3"},
    {"1.d4 Nf6 2.Nf3 g6 3.g3 Bg7 4.Bg2", "d2d4g8f6g1f3g7g6g2g3f8g7f1g2"},
    {"1.e4", "e2e4"},
    {"1.e4 c5", "e2e4c7c5"},
    {"1.e4 c5 2.c3", "e2e4c7c5c2c3"},
    {"1.e4 c5 2.c3 d5 3.exd5 Qxd5 4.d4", "e2e4c7c5c2c3d7d5e4d5d8d5d2d4"},
    {"1.e4 c5 2.c3 d5 3.exd5 Qxd5 4.d4 Nf6", "e2e4c7c5c2c3d7d5e4d5d8d5d2d4g8f6"},
    {"1.e4 c5 2.c3 Nf6 3.e5 Nd5", "e2e4c7c5c2c3g8f6e4e5f6d5"},
    {"1.e4 c5 2.c3 Nf6 3.e5 Nd5 4.d4 cxd4", "e2e4c7c5c2c3g8f6e4e5f6d5d2d4c5d4"},
    {"1.e4 c5 2.d4 cxd4", "e2e4c7c5d2d4c5d4"},
    {"1.e4 c5 2.Nc3", "e2e4c7c5b1c3"},
    {"1.e4 c5 2.Nc3 Nc6", "e2e4c7c5b1c3b8c6"},
    {"1.e4 c5 2.Nc3 Nc6 3.g3", "e2e4c7c5b1c3b8c6g2g3"},
    {"1.e4 c5 2.Nc3 Nc6 3.g3 g6", "e2e4c7c5b1c3b8c6g2g3g7g6"},
    {"1.e4 c5 2.Nc3 Nc6 3.g3 g6 4.Bg2 Bg7", "e2e4c7c5b1c3b8c6g2g3g7g6f1g2f8g7"},
    {"1.e4 c5 2.Nc3 Nc6 3.g3 g6 4.Bg2 Bg7 5.d3", "e2e4c7c5b1c3b8c6g2g3g7g6f1g2f8g7d2d3"},
    {"1.e4 c5 2.Nf3", "e2e4c7c5g1f3"},
    {"1.e4 c5 2.Nf3 d6", "e2e4c7c5g1f3d7d6"},
    {"1.e4 c5 2.Nf3 d6 3.Bb5+", "e2e4c7c5g1f3d7d6f1b5"},
    {"1.e4 c5 2.Nf3 d6 3.d4", "e2e4c7c5g1f3d7d6d2d4"},
    {"1.e4 c5 2.Nf3 d6 3.d4 cxd4", "e2e4c7c5g1f3d7d6d2d4c5d4"},
    {"1.e4 c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4", "e2e4c7c5g1f3d7d6d2d4c5d4f3d4"},
    {"1.e4 c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4 Nf6", "e2e4c7c5g1f3d7d6d2d4c5d4f3d4g8f6"},
    {"1.e4 c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3", "e2e4c7c5g1f3d7d6d2d4c5d4f3d4g8f6b1c3"},
    {"1.e4 c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 a6", "e2e4c7c5g1f3d7d6d2d4c5d4f3d4g8f6b1c3a7a6"},
    {"1.e4 c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 a6 6.Bc4",
     "e2e4c7c5g1f3d7d6d2d4c5d4f3d4g8f6b1c3a7a6f1c4"},
    {"1.e4 c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 a6 6.Be2",
     "e2e4c7c5g1f3d7d6d2d4c5d4f3d4g8f6b1c3a7a6f1e2"},
    {"1.e4 c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 a6 6.Be3",
     "e2e4c7c5g1f3d7d6d2d4c5d4f3d4g8f6b1c3a7a6c1e3"},
    {"1.e4 c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 a6 6.Bg5",
     "e2e4c7c5g1f3d7d6d2d4c5d4f3d4g8f6b1c3a7a6c1g5"},
    {"1.e4 c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 a6 6.Bg5 e6",
     "e2e4c7c5g1f3d7d6d2d4c5d4f3d4g8f6b1c3a7a6c1g5e7e6"},
    {"1.e4 c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 g6", "e2e4c7c5g1f3d7d6d2d4c5d4f3d4g8f6b1c3g7g6"},
    {"1.e4 c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 g6 6.Be3 Bg7 7.f3",
     "e2e4c7c5g1f3d7d6d2d4c5d4f3d4g8f6b1c3g7g6c1e3f8g7f2f3"},
    {"1.e4 c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 g6 6.Be3 Bg7 7.f3 O-O",
     "e2e4c7c5g1f3d7d6d2d4c5d4f3d4g8f6b1c3g7g6c1e3f8g7f2f3e8g8"},
    {"1.e4 c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 Nc6", "e2e4c7c5g1f3d7d6d2d4c5d4f3d4g8f6b1c3b8c6"},
    {"1.e4 c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 Nc6 6.Bg5",
     "e2e4c7c5g1f3d7d6d2d4c5d4f3d4g8f6b1c3b8c6c1g5"},
    {"1.e4 c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 Nc6 6.Bg5 e6 7.Qd2",
     "e2e4c7c5g1f3d7d6d2d4c5d4f3d4g8f6b1c3b8c6c1g5e7e6d1d2"},
    {"1.e4 c5 2.Nf3 e6", "e2e4c7c5g1f3e7e6"},
    {"1.e4 c5 2.Nf3 e6 3.d3", "e2e4c7c5g1f3e7e6d2d3"},
    {"1.e4 c5 2.Nf3 e6 3.d4 cxd4 4.Nxd4", "e2e4c7c5g1f3e7e6d2d4c5d4f3d4"},
    {"1.e4 c5 2.Nf3 e6 3.d4 cxd4 4.Nxd4 a6", "e2e4c7c5g1f3e7e6d2d4c5d4f3d4a7a6"},
    {"1.e4 c5 2.Nf3 e6 3.d4 cxd4 4.Nxd4 a6 5.Bd3", "e2e4c7c5g1f3e7e6d2d4c5d4f3d4a7a6f1d3"},
    {"1.e4 c5 2.Nf3 e6 3.d4 cxd4 4.Nxd4 Nc6", "e2e4c7c5g1f3e7e6d2d4c5d4f3d4b8c6"},
    {"1.e4 c5 2.Nf3 e6 3.d4 cxd4 4.Nxd4 Nc6 5.Nc3", "e2e4c7c5g1f3e7e6d2d4c5d4f3d4b8c6b1c3"},
    {"1.e4 c5 2.Nf3 e6 3.d4 cxd4 4.Nxd4 Nc6 5.Nc3 Qc7", "e2e4c7c5g1f3e7e6d2d4c5d4f3d4b8c6b1c3d8c7"},
    {"1.e4 c5 2.Nf3 e6 3.d4 cxd4 4.Nxd4 Nf6", "e2e4c7c5g1f3e7e6d2d4c5d4f3d4g8f6"},
    {"1.e4 c5 2.Nf3 e6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3", "e2e4c7c5g1f3e7e6d2d4c5d4f3d4g8f6b1c3"},
    {"1.e4 c5 2.Nf3 e6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 d6", "e2e4c7c5g1f3e7e6d2d4c5d4f3d4g8f6b1c3d7d6"},
    {"1.e4 c5 2.Nf3 Nc6", "e2e4c7c5g1f3b8c6"},
    {"1.e4 c5 2.Nf3 Nc6 3.Bb5", "e2e4c7c5g1f3b8c6f1b5"},
    {"1.e4 c5 2.Nf3 Nc6 3.Bb5 g6", "e2e4c7c5g1f3b8c6f1b5g7g6"},
    {"1.e4 c5 2.Nf3 Nc6 3.d4 cxd4 4.Nxd4", "e2e4c7c5g1f3b8c6d2d4c5d4f3d4"},
    {"1.e4 c5 2.Nf3 Nc6 3.d4 cxd4 4.Nxd4 e5", "e2e4c7c5g1f3b8c6d2d4c5d4f3d4e7e5"},
    {"1.e4 c5 2.Nf3 Nc6 3.d4 cxd4 4.Nxd4 g6", "e2e4c7c5g1f3b8c6d2d4c5d4f3d4g7g6"},
    {"1.e4 c5 2.Nf3 Nc6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3", "e2e4c7c5g1f3b8c6d2d4c5d4f3d4g8f6b1c3"},
    {"1.e4 c5 2.Nf3 Nc6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 d6", "e2e4c7c5g1f3b8c6d2d4c5d4f3d4g8f6b1c3d7d6"},
    {"1.e4 c5 2.Nf3 Nc6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 d6 6.Bg5",
     "e2e4c7c5g1f3b8c6d2d4c5d4f3d4g8f6b1c3d7d6c1g5"},
    {"1.e4 c5 2.Nf3 Nc6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 e5", "e2e4c7c5g1f3b8c6d2d4c5d4f3d4g8f6b1c3e7e5"},
    {"1.e4 c5 2.Nf3 Nc6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 e5 6.Ndb5 d6",
     "e2e4c7c5g1f3b8c6d2d4c5d4f3d4g8f6b1c3e7e5d4b5d7d6"},
    {"1.e4 c5 2.Nf3 Nc6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 e5 6.Ndb5 d6 7.Bg5 a6",
     "e2e4c7c5g1f3b8c6d2d4c5d4f3d4g8f6b1c3e7e5d4b5d7d6c1g5a7a6"},
    {"1.e4 c5 2.Nf3 Nc6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 e5 6.Ndb5 d6 7.Bg5 a6 8.Na3 b5",
     "e2e4c7c5g1f3b8c6d2d4c5d4f3d4g8f6b1c3e7e5d4b5d7d6c1g5a7a6b5a3b7b5"},
    {"1.e4 c6", "e2e4c7c6"},
    {"1.e4 c6 2.d4 d5", "e2e4c7c6d2d4d7d5"},
    {"1.e4 c6 2.d4 d5 3.e5", "e2e4c7c6d2d4d7d5e4e5"},
    {"1.e4 c6 2.d4 d5 3.e5 Bf5", "e2e4c7c6d2d4d7d5e4e5c8f5"},
    {"1.e4 c6 2.d4 d5 3.exd5 cxd5", "e2e4c7c6d2d4d7d5e4d5c6d5"},
    {"1.e4 c6 2.d4 d5 3.exd5 cxd5 4.c4 Nf6 5.Nc3", "e2e4c7c6d2d4d7d5e4d5c6d5c2c4g8f6b1c3"},
    {"1.e4 c6 2.d4 d5 3.Nc3", "e2e4c7c6d2d4d7d5b1c3"},
    {"1.e4 c6 2.d4 d5 3.Nc3 dxe4 4.Nxe4", "e2e4c7c6d2d4d7d5b1c3d5e4c3e4"},
    {"1.e4 c6 2.d4 d5 3.Nd2 dxe4 4.Nxe4", "e2e4c7c6d2d4d7d5b1d2d5e4d2e4"},
    {"1.e4 d5 2.exd5 Nf6", "e2e4d7d5e4d5g8f6"},
    {"1.e4 d5 2.exd5 Qxd5", "e2e4d7d5e4d5d8d5"},
    {"1.e4 d5 2.exd5 Qxd5 3.Nc3", "e2e4d7d5e4d5d8d5b1c3"},
    {"1.e4 d5 2.exd5 Qxd5 3.Nc3 Qa5", "e2e4d7d5e4d5d8d5b1c3d5a5"},
    {"1.e4 d6", "e2e4d7d6"},
    {"1.e4 d6 2.d4", "e2e4d7d6d2d4"},
    {"1.e4 d6 2.d4 Nf6", "e2e4d7d6d2d4g8f6"},
    {"1.e4 d6 2.d4 Nf6 3.Nc3", "e2e4d7d6d2d4g8f6b1c3"},
    {"1.e4 d6 2.d4 Nf6 3.Nc3 g6", "e2e4d7d6d2d4g8f6b1c3g7g6"},
    {"1.e4 d6 2.d4 Nf6 3.Nc3 g6 4.f4 Bg7 5.Nf3", "e2e4d7d6d2d4g8f6b1c3g7g6f2f4f8g7g1f3"},
    {"1.e4 d6 2.d4 Nf6 3.Nc3 g6 4.Nf3 Bg7", "e2e4d7d6d2d4g8f6b1c3g7g6g1f3f8g7"},
    {"1.e4 e5", "e2e4e7e5"},
    {"1.e4 e5 2.f4", "e2e4e7e5f2f4"},
    {"1.e4 e5 2.Nc3", "e2e4e7e5b1c3"},
    {"1.e4 e5 2.Nf3", "e2e4e7e5g1f3"},
    {"1.e4 e5 2.Nf3 Nc6", "e2e4e7e5g1f3b8c6"},
    {"1.e4 e5 2.Nf3 Nc6 3.Bb5", "e2e4e7e5g1f3b8c6f1b5"},
    {"1.e4 e5 2.Nf3 Nc6 3.Bb5 a6", "e2e4e7e5g1f3b8c6f1b5a7a6"},
    {"1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4", "e2e4e7e5g1f3b8c6f1b5a7a6b5a4"},
    {"1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6", "e2e4e7e5g1f3b8c6f1b5a7a6b5a4g8f6"},
    {"1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O", "e2e4e7e5g1f3b8c6f1b5a7a6b5a4g8f6e1g1"},
    {"1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O b5 6.Bb3",
     "e2e4e7e5g1f3b8c6f1b5a7a6b5a4g8f6e1g1b7b5a4b3"},
    {"1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7", "e2e4e7e5g1f3b8c6f1b5a7a6b5a4g8f6e1g1f8e7"},
    {"1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6",
     "e2e4e7e5g1f3b8c6f1b5a7a6b5a4g8f6e1g1f8e7f1e1b7b5a4b3d7d6"},
    {"1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O",
     "e2e4e7e5g1f3b8c6f1b5a7a6b5a4g8f6e1g1f8e7f1e1b7b5a4b3d7d6c2c3e8g8"},
    {"1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O 9.h3",
     "e2e4e7e5g1f3b8c6f1b5a7a6b5a4g8f6e1g1f8e7f1e1b7b5a4b3d7d6c2c3e8g8h2h3"},
    {"1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O 9.h3 Na5 10.Bc2 c5 "
     "11.d4",
     "e2e4e7e5g1f3b8c6f1b5a7a6b5a4g8f6e1g1f8e7f1e1b7b5a4b3d7d6c2c3e8g8h2h3c6a5b3c2c7c5d2d4"},
    {"1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 O-O",
     "e2e4e7e5g1f3b8c6f1b5a7a6b5a4g8f6e1g1f8e7f1e1b7b5a4b3e8g8"},
    {"1.e4 e5 2.Nf3 Nc6 3.Bb5 Nf6", "e2e4e7e5g1f3b8c6f1b5g8f6"},
    {"1.e4 e5 2.Nf3 Nc6 3.Bc4", "e2e4e7e5g1f3b8c6f1c4"},
    {"1.e4 e5 2.Nf3 Nc6 3.Bc4 Nf6", "e2e4e7e5g1f3b8c6f1c4g8f6"},
    {"1.e4 e5 2.Nf3 Nc6 3.d4 exd4", "e2e4e7e5g1f3b8c6d2d4e5d4"},
    {"1.e4 e5 2.Nf3 Nc6 3.d4 exd4 4.Nxd4", "e2e4e7e5g1f3b8c6d2d4e5d4f3d4"},
    {"1.e4 e5 2.Nf3 Nc6 3.Nc3", "e2e4e7e5g1f3b8c6b1c3"},
    {"1.e4 e5 2.Nf3 Nc6 3.Nc3 Nf6", "e2e4e7e5g1f3b8c6b1c3g8f6"},
    {"1.e4 e5 2.Nf3 Nf6", "e2e4e7e5g1f3g8f6"},
    {"1.e4 e5 2.Nf3 Nf6 3.Nxe5 d6", "e2e4e7e5g1f3g8f6f3e5d7d6"},
    {"1.e4 e6", "e2e4e7e6"},
    {"1.e4 e6 2.d3", "e2e4e7e6d2d3"},
    {"1.e4 e6 2.d4", "e2e4e7e6d2d4"},
    {"1.e4 e6 2.d4 d5", "e2e4e7e6d2d4d7d5"},
    {"1.e4 e6 2.d4 d5 3.e5 c5", "e2e4e7e6d2d4d7d5e4e5c7c5"},
    {"1.e4 e6 2.d4 d5 3.e5 c5 4.c3", "e2e4e7e6d2d4d7d5e4e5c7c5c2c3"},
    {"1.e4 e6 2.d4 d5 3.Nc3", "e2e4e7e6d2d4d7d5b1c3"},
    {"1.e4 e6 2.d4 d5 3.Nc3 Bb4", "e2e4e7e6d2d4d7d5b1c3f8b4"},
    {"1.e4 e6 2.d4 d5 3.Nc3 Bb4 4.e5", "e2e4e7e6d2d4d7d5b1c3f8b4e4e5"},
    {"1.e4 e6 2.d4 d5 3.Nc3 Bb4 4.e5 c5", "e2e4e7e6d2d4d7d5b1c3f8b4e4e5c7c5"},
    {"1.e4 e6 2.d4 d5 3.Nc3 Bb4 4.e5 c5 5.a3 Bxc3+ 6.bxc3",
     "e2e4e7e6d2d4d7d5b1c3f8b4e4e5c7c5a2a3b4c3b2c3"},
    {"1.e4 e6 2.d4 d5 3.Nc3 Nf6", "e2e4e7e6d2d4d7d5b1c3g8f6"},
    {"1.e4 e6 2.d4 d5 3.Nc3 Nf6 4.Bg5", "e2e4e7e6d2d4d7d5b1c3g8f6c1g5"},
    {"1.e4 e6 2.d4 d5 3.Nd2", "e2e4e7e6d2d4d7d5b1d2"},
    {"1.e4 e6 2.d4 d5 3.Nd2 c5", "e2e4e7e6d2d4d7d5b1d2c7c5"},
    {"1.e4 e6 2.d4 d5 3.Nd2 Nf6", "e2e4e7e6d2d4d7d5b1d2g8f6"},
    {"1.e4 e6 2.d4 d5 3.Nd2 Nf6 4.e5 Nfd7", "e2e4e7e6d2d4d7d5b1d2g8f6e4e5f6d7"},
    {"1.e4 e6 2.d4 d5 3.Nd2 Nf6 4.e5 Nfd7 5.Bd3 c5 6.c3 Nc6 7.Ne2",
     "e2e4e7e6d2d4d7d5b1d2g8f6e4e5f6d7f1d3c7c5c2c3b8c6g1e2"},
    {"1.e4 g6", "e2e4g7g6"},
    {"1.e4 g6 2.d4", "e2e4g7g6d2d4"},
    {"1.e4 g6 2.d4 Bg7", "e2e4g7g6d2d4f8g7"},
    {"1.e4 g6 2.d4 Bg7 3.Nc3", "e2e4g7g6d2d4f8g7b1c3"},
    {"1.e4 g6 2.d4 Bg7 3.Nc3 d6", "e2e4g7g6d2d4f8g7b1c3d7d6"},
    {"1.e4 Nf6", "e2e4g8f6"},
    {"1.e4 Nf6 2.e5 Nd5", "e2e4g8f6e4e5f6d5"},
    {"1.e4 Nf6 2.e5 Nd5 3.d4 d6", "e2e4g8f6e4e5f6d5d2d4d7d6"},
    {"1.e4 Nf6 2.e5 Nd5 3.d4 d6 4.Nf3", "e2e4g8f6e4e5f6d5d2d4d7d6g1f3"},
    {"1.f4", "f2f4"},
    {"1.g3", "g2g3"},
    {"1.Nf3", "g1f3"},
    {"1.Nf3 c5", "g1f3c7c5"},
    {"1.Nf3 c5 2.c4", "g1f3c7c5c2c4"},
    {"1.Nf3 d5", "g1f3d7d5"},
    {"1.Nf3 d5 2.c4", "g1f3d7d5c2c4"},
    {"1.Nf3 d5 2.d4", "g1f3d7d5d2d4"},
    {"1.Nf3 d5 2.g3", "g1f3d7d5g2g3"},
    {"1.Nf3 g6", "g1f3g7g6"},
    {"1.Nf3 Nf6", "g1f3g8f6"},
    {"1.Nf3 Nf6 2.c4", "g1f3g8f6c2c4"},
    {"1.Nf3 Nf6 2.c4 c5", "g1f3g8f6c2c4c7c5"},
    {"1.Nf3 Nf6 2.c4 e6", "g1f3g8f6c2c4e7e6"},
    {"1.Nf3 Nf6 2.c4 g6", "g1f3g8f6c2c4g7g6"},
    {"1.Nf3 Nf6 2.c4 g6 3.Nc3", "g1f3g8f6c2c4g7g6b1c3"},
    {"1.Nf3 Nf6 2.g3", "g1f3g8f6g2g3"},
    {"1.Nf3 Nf6 2.g3 g6", "g1f3g8f6g2g3g7g6"},
}};

constexpr std::size_t kCharsPerPly = 4;
constexpr std::size_t kMaxChars = std::ranges::max_element(kLines, {}, [](const Line& line) {
                                    return line.squares.size();
                                  })->squares.size();

// A line, for a list in the order of their squares. All lines that begin a given game also begin
// the last line that does not come after it, so they are that line and its chain of `parent`s.
struct SortedLine {
  std::string_view squares;
  std::uint8_t code = 0;
  std::uint8_t parent = 0;  // 1 + position of the longest line that begins this one; 0: none
};

constexpr auto kSorted = [] {
  std::array<SortedLine, kStoredLines> sorted{};
  for (std::size_t i = 0; i < kStoredLines; ++i) {
    sorted[i].squares = kLines[i].squares;
    sorted[i].code = static_cast<std::uint8_t>(i + 1);
  }
  std::ranges::sort(sorted, {}, &SortedLine::squares);
  for (std::size_t i = 1; i < kStoredLines; ++i) {
    std::size_t parent = i;
    while (parent != 0 && !sorted[i].squares.starts_with(sorted[parent - 1].squares)) {
      parent = sorted[parent - 1].parent;
    }
    sorted[i].parent = static_cast<std::uint8_t>(parent);
  }
  return sorted;
}();

}  // namespace

std::string_view stored_line(unsigned code) {
  return code - 1 < kStoredLines ? kLines[code - 1].san : std::string_view();
}

std::string_view stored_line_squares(unsigned code) {
  return code - 1 < kStoredLines ? kLines[code - 1].squares : std::string_view();
}

unsigned find_stored_line(std::span<const Move> moves) {
  std::array<char, kMaxChars> buffer;
  char* end = buffer.data();
  for (const Move& move : moves.first(std::min(moves.size(), kMaxChars / kCharsPerPly))) {
    end = write_square(move.to, write_square(move.from, end));
  }
  const std::string_view game(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const auto after = std::ranges::upper_bound(kSorted, game, {}, &SortedLine::squares);
  auto at = static_cast<std::size_t>(after - kSorted.begin());
  while (at != 0 && !game.starts_with(kSorted[at - 1].squares)) at = kSorted[at - 1].parent;
  return at == 0 ? 0 : kSorted[at - 1].code;
}

}  // namespace scidfs::codec::scid
