// The concurrent part of the standard library.
#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

namespace {
std::mutex mutex;
std::shared_mutex shared;
std::condition_variable condition;
std::once_flag once;
bool ready;
thread_local std::vector<int> own;
std::atomic<int> count{1};
std::atomic<std::shared_ptr<int> *> pointer{nullptr};
} // namespace

struct Pair {
    int a, b;
};
inline bool operator==(const Pair &l, const Pair &r) { return l.a == r.a && l.b == r.b; }
std::atomic<Pair> pair;
std::atomic_flag flag = ATOMIC_FLAG_INIT;

template <typename T> class Stack {
    struct Node {
        T value;
        Node *next;
    };
    std::atomic<Node *> head{nullptr};

  public:
    void push(T value) {
        Node *node = new Node{std::move(value), head.load(std::memory_order_relaxed)};
        while (!head.compare_exchange_weak(node->next, node, std::memory_order_release, std::memory_order_relaxed)) {
        }
    }
    bool pop(T &out) {
        Node *node = head.load(std::memory_order_acquire);
        while (node && !head.compare_exchange_strong(node, node->next, std::memory_order_acq_rel)) {
        }
        if (!node) return false;
        out = std::move(node->value);
        return true;
    }
};
static Stack<std::unique_ptr<int>> stack;

void worker(int id, int &result) {
    std::call_once(once, [] { count = 0; });
    {
        std::unique_lock<std::mutex> lock(mutex);
        condition.wait(lock, [] { return ready; });
    }
    std::shared_lock<std::shared_mutex> lock(shared);
    own.push_back(id);
    count.fetch_add(id, std::memory_order_acq_rel);
    stack.push(std::make_unique<int>(id));
    std::atomic_thread_fence(std::memory_order_seq_cst);
    while (flag.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
    result += own.back();
    flag.clear(std::memory_order_release);
    Pair old = pair.load(), next{old.a + 1, id};
    pair.compare_exchange_strong(old, next);
}

int main() {
    int result = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++) threads.emplace_back(worker, i, std::ref(result));
    {
        std::scoped_lock lock(mutex);
        ready = true;
    }
    condition.notify_all();
    for (auto &thread : threads) thread.join();
    auto owned = std::make_shared<int>(3);
    pointer.store(&owned);
    std::unique_ptr<int> top;
    return stack.pop(top) ? *top + result + **pointer.load() : count--;
}
