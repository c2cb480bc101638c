#include "fs/content/csv_content.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "tests/fs/never.h"
#include "tests/support/random_game.h"

namespace scidfs::fs {
namespace {

struct Case {
  std::string_view tsv, csv;
};

TEST(CsvTest, FieldsAreQuotedWhereTheyMustBe) {
  for (const auto& [tsv, csv] : {
           Case{"", ""},
           Case{"\n", "\n"},
           Case{"name\tgames\n", "name,games\n"},
           Case{"\t\t\n", ",,\n"},
           Case{"Anand,V\t501\n", "\"Anand,V\",501\n"},
           Case{"\"Mikhalchishin\"\tx\n", "\"\"\"Mikhalchishin\"\"\",x\n"},
           Case{"a \"b\" c\t'd'\n", "\"a \"\"b\"\" c\",'d'\n"},
           Case{"one\ntwo,\n", "one\n\"two,\"\n"},
       }) {
    std::string out;
    append_csv(tsv, CsvForm::Plain, out);
    EXPECT_EQ(out, csv) << tsv;
  }
}

TEST(CsvTest, ExcelTakesNoTextForAFormula) {
  for (const auto& [tsv, csv] : {
           Case{"", ""},
           Case{"\n", "\n"},
           Case{"name\tgames\n", "\"name\",\"games\"\n"},
           Case{"\t\t\n", ",,\n"},
           Case{"Anand,V\t501\n", "\"Anand,V\",501\n"},
           Case{"=1+1\t-0.35\n", "\"'=1+1\",-0.35\n"},
           Case{"+5\t-5\t5.5\t0\n", "\"'+5\",-5,5.5,0\n"},
           Case{"--\t-\t-.5\t-5.\n", "\"'--\",\"'-\",\"'-.5\",\"'-5.\"\n"},
           Case{"5.\t.5\t.\t1.2.3\t1-0\n", "\"5.\",\".5\",\".\",\"1.2.3\",\"1-0\"\n"},
           Case{"@SUM(A1)\t\r=1\n", "\"'@SUM(A1)\",\"'\r=1\"\n"},
           Case{"=\"a\"\t'=1\ta=1\n", "\"'=\"\"a\"\"\",\"'=1\",\"a=1\"\n"},
           Case{"12\n=\n", "12\n\"'=\"\n"},
       }) {
    std::string out;
    append_csv(tsv, CsvForm::Excel, out);
    EXPECT_EQ(out, csv) << tsv;
  }
}

std::string random_table(tests::Random& random, std::size_t bytes) {
  constexpr std::string_view kBytes = "ab=- ,\"\t1.";
  std::string table;
  while (table.size() < bytes) {
    // A few lines are longer than a section.
    const std::uint64_t length = random.below(random.below(50) == 0 ? 300'000 : 200);
    for (std::uint64_t i = 0; i < length; ++i) table += kBytes[random.below(kBytes.size())];
    table += '\n';
  }
  return table;
}

std::unique_ptr<Content> csv_of(std::string table, CsvForm form) {
  absl::StatusOr<std::unique_ptr<Content>> csv =
      open_csv(std::make_unique<TextContent>(std::move(table)), form, WorkBudget::unlimited(never));
  EXPECT_TRUE(csv.ok());
  return *std::move(csv);
}

void expect_parts_of_whole(CsvForm form, std::string_view mark) {
  tests::Random random(1);
  for (const std::size_t bytes : {0U, 1U, 131'071U, 131'072U, 131'073U, 2'000'000U}) {
    const std::string table = random_table(random, bytes);
    std::string whole(mark);
    append_csv(table, form, whole);
    const std::unique_ptr<Content> csv = csv_of(table, form);
    ASSERT_EQ(csv->size(), whole.size());
    for (int i = 0; i < 20; ++i) {
      const std::uint64_t offset = random.below(whole.size() + 1);
      const std::size_t length =
          random.below(std::min<std::size_t>(whole.size() - offset, 200'000) + 1);
      std::string part;
      ASSERT_TRUE(csv->read(offset, length, part).ok());
      ASSERT_EQ(part, whole.substr(offset, length)) << bytes << ", from " << offset;
      EXPECT_EQ(csv->cost(offset, length), 0U);
    }
  }
}

TEST(CsvTest, AnyPartReadsAsInTheWhole) { expect_parts_of_whole(CsvForm::Plain, ""); }

TEST(CsvTest, AnyPartForExcelReadsAsInTheWhole) {
  expect_parts_of_whole(CsvForm::Excel, "\xEF\xBB\xBF");
}

TEST(CsvTest, LimitedBudgetRefusesLargeTables) {
  const std::string table(1'000'000, '\n');
  const auto open = [&](const WorkBudget& budget) {
    return open_csv(std::make_unique<TextContent>(table), CsvForm::Plain, budget).status();
  };
  EXPECT_TRUE(absl::IsUnavailable(open(WorkBudget::limited(100))));
  EXPECT_TRUE(open(WorkBudget::limited(300)).ok());
}

// A table that cannot be read in its middle.
class BrokenContent : public Content {
 public:
  std::uint64_t size() const override { return 1'000'000; }
  absl::Status read(std::uint64_t offset, std::size_t length, std::string& out) const override {
    if (offset <= 500'000 && 500'000 < offset + length) return absl::DataLossError("byte 500000");
    out.append(length, '\n');
    return absl::OkStatus();
  }
  std::size_t memory() const override { return sizeof *this; }
};

TEST(CsvTest, ErrorsOfTheTableAreItsErrors) {
  const absl::Status status =
      open_csv(std::make_unique<BrokenContent>(), CsvForm::Excel, WorkBudget::unlimited(never))
          .status();
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
}

}  // namespace
}  // namespace scidfs::fs
