// about: a program that throws is compiled together with raveler's own library: both know hazard pointers
// from: by hand
// run: | rc20 | verdict=verified
// run: -DBUG_UNPROTECTED | rc20 | verdict=violation violation=use-after-free
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <genmc.h>
#include <stdexcept>
#include <thread>

struct Node {
  int value;
};

static std::atomic<Node *> shared;

static int read() {
  __VERIFIER_hp_t *hazard = __VERIFIER_hp_alloc();
#ifdef BUG_UNPROTECTED
  Node *node = shared.load();
#else
  Node *node = static_cast<Node *>(__VERIFIER_hp_protect(hazard, &shared));
#endif
  if (!node) {
    __VERIFIER_hp_free(hazard);
    throw std::runtime_error("nothing there");
  }
  int value = node->value;
  __VERIFIER_hp_free(hazard);
  return value;
}

int main() {
  Node *node = static_cast<Node *>(std::malloc(sizeof(Node)));
  node->value = 1;
  shared = node;
  std::thread reader([] {
    try {
      assert(read() == 1);
    } catch (const std::runtime_error &) {
    }
  });
  shared = nullptr;
  __VERIFIER_hp_retire(node);
  reader.join();
  return 0;
}
