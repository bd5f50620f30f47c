// about: functions of the program that are named as some of a library or of a checker
// from: by hand: the program's own count, whatever a library means by the name; what checkers define keeps its meaning, or
// from: programs that bring bodies for running them (`reach_error` that prints, an assumption that ends the program) would
// from: be taken at their word
// run: | sc rc20 --nondet 0..1 | verdict=verified
// run: -DBUG_OWN | sc rc20 --nondet 0..1 | verdict=violation violation=assertion
// run: -DBUG_REACHED | sc rc20 --nondet 0..1 | verdict=violation violation=assertion
// run: -DBUG_ASSERTED | sc rc20 --nondet 0..1 | verdict=violation violation=assertion
// run: -DBUG_ASSUMED | sc rc20 --nondet 0..1 | verdict=violation violation=assertion
#include <pthread.h>

// A list, its lock, its random numbers and its log.
int remove(int *from, int value) { return --*from == value; }
int read(int at) { return at + 1; }
int write(int at, int value) { return at + value; }
int rand(void) { return 100; }
void *index(void *of, int by) { return (char *)of + by; }
int signal(int *flag) { return ++*flag; }
int sleep(int turns) { return turns * 2; }
int log(const char *text) { return text[0]; }
int send(int to) { return to; }
int yield(void) { return 3; }

void reach_error(void) {}
void __VERIFIER_assert(int condition) { (void)condition; }
void assume_abort_if_not(int condition) { (void)condition; }
void assert(int condition);
int __VERIFIER_nondet_int(void) { return 77; }

static int count = 2, flag;

static void *work(void *unused) {
  signal(&flag);
  return unused;
}

int main(void) {
  pthread_t thread;
  int value = __VERIFIER_nondet_int();
  assert(value == 0 || value == 1);
#ifndef BUG_ASSUMED
  assume_abort_if_not(value == 1);
#endif
  assert(value == 1); //! assertion(BUG_ASSUMED)
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  assert(remove(&count, 1) && read(4) == 5 && write(4, 5) == 9 && rand() == 100);
  assert(*(char *)index("abc", 2) == 'c' && flag == 1 && sleep(3) == 6 && log("x") == 'x' && send(8) == 8);
#if defined BUG_OWN
  assert(yield() == 0); //! assertion(BUG_OWN)
#elif defined BUG_REACHED
  reach_error(); //! assertion(BUG_REACHED)
#elif defined BUG_ASSERTED
  __VERIFIER_assert(count == 2); //! assertion(BUG_ASSERTED)
#endif
  return 0;
}
