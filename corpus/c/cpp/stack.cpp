// about: a template of Treiber's stack; popped nodes are deleted after the threads have ended
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_RELAXED_PUSH | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_DELETE | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
#include <atomic>
#include <cassert>
#include <thread>

#ifdef BUG_RELAXED_PUSH
constexpr auto pushed = std::memory_order_relaxed;
#else
constexpr auto pushed = std::memory_order_release;
#endif

template <class T> class Stack {
public:
  struct Node {
    T value;
    Node *next;
  };

  void push(T value) {
    Node *node = new Node{value, nullptr}; //! race
    node->next = top.load(std::memory_order_relaxed); //! race
    while (!top.compare_exchange_weak(node->next, node, pushed, std::memory_order_relaxed)) //! race
      ;
  }

  Node *pop() {
    Node *node = top.load(std::memory_order_acquire);
    while (node != nullptr) {
      Node *next = node->next; //! race use-after-free
      if (top.compare_exchange_weak(node, next, std::memory_order_acquire, std::memory_order_acquire))
        break;
    }
    return node;
  }

private:
  std::atomic<Node *> top{nullptr};
};

using Ints = Stack<int>;

static Ints stack;
static Ints::Node *popped[2];

static void run(int me) {
  stack.push(me + 1);
  Ints::Node *node = stack.pop();
  assert(node != nullptr);
  int value = node->value; //! race
  assert(value == 1 || value == 2);
#ifdef BUG_DELETE
  delete node; //! use-after-free
#else
  popped[me] = node;
#endif
}

int main() {
  std::thread a(run, 0), b(run, 1);
  a.join();
  b.join();
#ifndef BUG_DELETE
  assert(popped[0] != popped[1]);
  delete popped[0];
  delete popped[1];
#endif
}
