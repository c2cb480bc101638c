// What nearly every test includes, compiled once for each large program of tests. Nobody depends on
// it: files include what they use, and builds by gcc do without it.
#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
