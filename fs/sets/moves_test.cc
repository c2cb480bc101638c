#include "fs/sets/moves_test.h"

#include "codec/scid/seek.h"
#include "fs/sets/condition.h"

namespace scidfs::fs {
namespace {

using codec::scid::MarksFilter;

// Of a filter, and what makes a seeker for a thread.
template <class MakeSeeker>
class SeekingTest : public MovesTest {
 public:
  SeekingTest(MarksFilter filter, MakeSeeker make)
      : filter_(std::move(filter)), make_(std::move(make)) {}

  codec::scid::Judged judge(std::span<const codec::scid::GameMarks> games) const override {
    return filter_.judge(games);
  }
  std::unique_ptr<Seeker> seeker() const override { return std::make_unique<Any>(make_()); }

 private:
  using Sought = decltype(std::declval<const MakeSeeker&>()());

  class Any : public Seeker {
   public:
    explicit Any(Sought sought) : sought_(std::move(sought)) {}
    bool meets(codec::Bytes record) override { return static_cast<bool>(sought_.seek(record)); }

   private:
    Sought sought_;
  };

  const MarksFilter filter_;
  const MakeSeeker make_;
};

template <class MakeSeeker>
std::unique_ptr<MovesTest> seeking(MarksFilter filter, MakeSeeker make) {
  return std::make_unique<SeekingTest<MakeSeeker>>(std::move(filter), std::move(make));
}

}  // namespace

std::unique_ptr<MovesTest> test_moves(const Facet& facet, codec::CastlingRule rule) {
  const auto& goal = facet.condition->as<codec::PositionGoal>();
  return seeking(MarksFilter::for_position(goal),
                 [goal, rule] { return codec::scid::PositionSeeker(goal, rule); });
}

}  // namespace scidfs::fs
