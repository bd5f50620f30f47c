// about: rigtorp's lock by sequence numbers. Readers copy the value while it may be written, and fences for the compiler alone keep
// about: the copy between the two looks at the number
// needs: rigtorp/Seqlock.h
// from: by hand: the copy races by the rules of C++; as x86 runs it, both halves are of one write
// run: | rc20 | verdict=violation violation=race
// run: | tso --races ignore | verdict=verified
// run: | rc20 --races ignore | verdict=violation violation=assertion
#include <cassert>
#include <thread>

#include <rigtorp/Seqlock.h>

struct Pair {
  long left, right;
};

int main() {
  rigtorp::Seqlock<Pair> lock;
  lock.store({0, 0});
  std::thread writer([&] { lock.store({1, 1}); });
  Pair pair = lock.load();
  assert(pair.left == pair.right);
  writer.join();
  return 0;
}
