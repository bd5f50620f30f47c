// about: what C programs have of the C library, in C++: errno, sscanf, is_lock_free, mempcpy
// from: by hand
// run: | rc20 | verdict=verified executions=2
// run: -DBUG | rc20 | verdict=violation violation=assertion
#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <semaphore.h>
#include <thread>

static std::atomic<int> shared;
static sem_t semaphore;

int main() {
  assert(shared.is_lock_free());
  sem_init(&semaphore, 0, 0);
  std::thread poster([] { sem_post(&semaphore); });
#ifdef BUG
  assert(sem_trywait(&semaphore) == 0 || errno == EINTR);
#else
  assert(sem_trywait(&semaphore) == 0 || errno == EAGAIN);
#endif
  poster.join();
  int number = 0;
  char text[4] = {};
  assert(std::sscanf("12 ab", "%d %3s", &number, text) == 2 && number == 12 && !std::strcmp(text, "ab"));
  return 0;
}
