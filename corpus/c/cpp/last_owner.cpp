// about: a weak pointer is locked while the last owner goes: either it gets the object, whole, or nothing
// from: by hand: the count goes up only from above 0; the deleter runs once, after all owners. Copying the owner itself while it is reset
// from: is a race: only the count is atomic
// run: | sc tso rc20 | verdict=verified
// run: -DBUG_SHARED_OWNER | rc20 | verdict=violation violation=race
// run: -DBUG_EXPIRED | sc rc20 | verdict=violation violation=assertion
#include <cassert>
#include <memory>
#include <thread>

static int deleted;
static std::shared_ptr<int> owner;

int main() {
  owner = std::shared_ptr<int>(new int(1), [](int *p) {
    deleted++;
    delete p;
  });
  std::weak_ptr<int> weak = owner;
  std::thread t([weak] {
#ifdef BUG_SHARED_OWNER
    auto mine = owner; //! race
#elif defined BUG_EXPIRED
    auto mine = weak.lock();
    assert(mine); //! assertion
#else
    if (auto mine = weak.lock())
      assert(*mine == 1);
#endif
  });
  owner.reset(); //! race
  t.join();
  assert(weak.expired() && deleted == 1);
}
