// refuse: exit=2
// about: a signal handler
#include <signal.h>

static volatile sig_atomic_t stop;

static void on_signal(int n) {
  (void)n;
  stop = 1;
}

int main(void) {
  signal(SIGINT, on_signal); //! refuse
  return stop;
}
