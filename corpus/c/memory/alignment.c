// about: objects are aligned as they ask to be: malloc for everything, alignas, aligned_alloc and its like, in any thread
// from: by hand: the language and POSIX promise it
// run: | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DSHARED | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DTHREADS=20 | sc rc20 | verdict=verified executions=1
// run: -DTHREADS=20 -DSHARED | sc rc20 | verdict=verified executions=1
// run: -DAGAIN=60 | sc rc20 | verdict=verified executions=1
#include <assert.h>
#include <pthread.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef AGAIN
#define AGAIN 2
#endif

static char c;
static alignas(64) char line;
static alignas(4096) char page;
static _Thread_local alignas(128) char mine;

struct padded {
  alignas(64) int a;
  int b;
};

static void aligned(void *p, size_t to) { assert((uintptr_t)p % to == 0); }

static void *touch(void *p) {
  *(volatile char *)p = 1;
  return NULL;
}

static void look(void *p, size_t to) {
  aligned(p, to);
#ifdef SHARED
  pthread_t t;
  pthread_create(&t, NULL, touch, p);
  pthread_join(t, NULL);
#else
  touch(p);
#endif
}

static void *run(void *arg) {
  char local;
  alignas(64) char wide;
  alignas(256) char wider;
  struct padded padded;
  aligned(&local, 1);
  look(&wide, 64);
  look(&wider, 256);
  aligned(&padded, 64);
  aligned(&mine, 128);
  for (int i = 0; i < AGAIN; i++) {
    void *p = malloc(1), *q = aligned_alloc(64, 128), *r;
    posix_memalign(&r, 512, 100);
    aligned(p, alignof(max_align_t));
    look(q, 64);
    aligned(r, 512);
    p = realloc(p, 100);
    aligned(p, alignof(max_align_t));
    free(p);
    free(q);
    free(r);
  }
  return arg;
}

int main(void) {
  aligned(&c, 1);
  aligned(&line, 64);
  aligned(&page, 4096);
  for (int i = 0; i < THREADS; i++) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
  }
}
