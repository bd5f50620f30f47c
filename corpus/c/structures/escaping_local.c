// about: threads work on local variables of main, each on its own part or both on the same
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_SAME_PART | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_SAME_PART | sc tso pso ra | verdict=violation violation=assertion
// run: -DBUG_NO_JOIN | rc11 rc20 | verdict=violation violation=race
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct part {
  int from, to, *sum;
};

static void *add(void *arg) {
  struct part *p = arg;
  for (int i = p->from; i < p->to; i++)
    *p->sum += i; //! race
  return NULL;
}

int main(void) {
  pthread_t t[2];
  int sums[2] = {0, 0};
  struct part parts[2] = {{0, 2, &sums[0]}, {2, 4, &sums[1]}};
#ifdef BUG_SAME_PART
  parts[1].sum = &sums[0];
#endif
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, add, &parts[i]);
  pthread_join(t[0], NULL);
#ifdef BUG_NO_JOIN
  int early = sums[1]; //! race
  (void)early;
#endif
  pthread_join(t[1], NULL);
  assert(sums[0] + sums[1] == 6); //! assertion
}
