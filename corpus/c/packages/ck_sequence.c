// about: ConcurrencyKit's sequence lock: a reader tries again until what it saw is whole
// needs: ck_sequence.h
// from: by hand: the library is right; each macro BUG_… takes something away
// run: | tso | verdict=verified
// run: -DWEAK | rc11 rc20 | verdict=verified
// run: -DBUG_NO_RETRY | tso | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <ck_md.h>
#ifdef WEAK
#undef CK_MD_TSO
#define CK_MD_RMO
#endif
#include <ck_sequence.h>

static ck_sequence_t sequence = CK_SEQUENCE_INITIALIZER;
static unsigned a, b;

static void *writer(void *unused) {
  ck_sequence_write_begin(&sequence);
  ck_pr_store_uint(&a, 1);
  ck_pr_store_uint(&b, 1);
  ck_sequence_write_end(&sequence);
  return 0;
}

static void *reader(void *unused) {
  unsigned version, x, y;
#ifdef BUG_NO_RETRY
  x = ck_pr_load_uint(&a);
  y = ck_pr_load_uint(&b);
#else
  do {
    version = ck_sequence_read_begin(&sequence);
    x = ck_pr_load_uint(&a);
    y = ck_pr_load_uint(&b);
  } while (ck_sequence_read_retry(&sequence, version));
#endif
  assert(x == y); //! assertion(BUG_NO_RETRY)
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, writer, 0);
  pthread_create(&threads[1], 0, reader, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  return 0;
}
