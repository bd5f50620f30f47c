// about: xenium's queue of Michael and Scott with hazard pointers
// needs: xenium/michael_scott_queue.hpp
// from: by hand: the library is right; an element that is written after it was handed over is not
// run: | rc20 | verdict=verified
// run: -DBUG_LATE | rc20 | verdict=violation violation=race
#include <cassert>
#include <thread>
#include <xenium/michael_scott_queue.hpp>
#include <xenium/reclamation/hazard_pointer.hpp>

using Reclaimer = xenium::reclamation::hazard_pointer<>::with<
    xenium::policy::allocation_strategy<xenium::reclamation::hp_allocation::static_strategy<3>>>;

int main() {
  xenium::michael_scott_queue<int *, xenium::policy::reclaimer<Reclaimer>> queue;
  int item = 1;
  std::thread producer([&] {
    queue.push(&item);
#ifdef BUG_LATE
    item = 2;
#endif
  });
  int *taken = nullptr;
  if (queue.try_pop(taken))
    assert(*taken == 1);
  producer.join();
  return 0;
}
