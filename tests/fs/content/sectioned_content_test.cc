#include "fs/content/sectioned_content.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace scidfs::fs {
namespace {

// A text of sections of these sizes, and how often each has been made.
struct Sections {
  explicit Sections(std::vector<std::size_t> of_sections) : sizes(std::move(of_sections)) {
    made.resize(sizes.size());
    auto all = std::make_shared<std::vector<std::uint64_t>>();
    for (std::size_t section = 0; section < sizes.size(); ++section) {
      text += of(section);
      all->push_back(text.size());
    }
    ends = std::move(all);
  }
  std::string of(std::size_t section) const {
    return std::string(sizes[section], static_cast<char>('a' + section));
  }
  SectionedContent content(std::size_t cost = 0) {
    const auto append = [this](std::size_t section, std::string& out) {
      ++made[section];
      out += of(section);
      return absl::OkStatus();
    };
    return {ends, append, cost};
  }

  std::vector<std::size_t> sizes;
  std::vector<int> made;
  std::string text;
  SectionEnds ends;
};

TEST(SectionedContentTest, MakesLargeSectionsOnceForASequence) {
  Sections sections({300'000, 10, 0, 900'000, 20'000});
  const SectionedContent content = sections.content(7);
  EXPECT_EQ(content.cost(0, content.size()), 7U * 5);
  std::string read;
  for (std::size_t offset = 0; offset < sections.text.size(); offset += 50'000) {
    const std::size_t length = std::min<std::size_t>(50'000, sections.text.size() - offset);
    ASSERT_TRUE(content.read(offset, length, read).ok());
  }
  EXPECT_EQ(read, sections.text);
  EXPECT_EQ(sections.made[0], 1);
  EXPECT_EQ(sections.made[3], 1);
  EXPECT_EQ(content.cost(0, 300'000), 0U);
  EXPECT_EQ(content.cost(299'999, 2), 7U);
  EXPECT_GT(content.memory(), sections.text.size());
}

TEST(SectionedContentTest, KeepsNoSmallSections) {
  Sections sections({1000, 1000});
  const SectionedContent content = sections.content();
  std::string read;
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(content.read(500, 1000, read).ok());
  EXPECT_EQ(sections.made, std::vector<int>({3, 3}));
  EXPECT_LT(content.memory(), 1000U);
}

TEST(SectionedContentTest, RefusesSectionsOfAnotherLength) {
  Sections sections({200'000, 10});
  const SectionedContent content = sections.content();
  sections.sizes = {200'001, 9};
  std::string read;
  EXPECT_TRUE(absl::IsDataLoss(content.read(0, 1, read)));
  EXPECT_TRUE(absl::IsDataLoss(content.read(200'000, 5, read)));
}

}  // namespace
}  // namespace scidfs::fs
