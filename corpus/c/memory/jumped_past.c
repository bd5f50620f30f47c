// about: a variable ends with its block also where there is another way to its declaration: a label before it, `goto`,
// about: `switch`
// from: by hand (C11 6.2.4p6: from entry into the block until its execution ends). As written main waits for the thread
// from: inside of the block. LABEL: the block is over when the thread reads. SWITCH, GOTO: the same; the jump enters the
// from: block behind the declaration, which begins the life all the same. TWICE: going back inside of a block comes to
// from: the same object, so the first pointer is good as long as the block lasts.
// run: | sc tso rc20 | verdict=verified executions=1
// run: -DLABEL | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DSWITCH | sc tso rc20 | verdict=violation violation=use-after-free
// run: -DGOTO | sc tso rc20 | verdict=violation violation=use-after-free
// run: -DTWICE | sc rc20 | verdict=verified executions=1
#include <assert.h>
#include <pthread.h>

int n;

static void *reader(void *p) {
  return (void *)(long)*(int *)p; //! use-after-free
}

int main(void) {
  pthread_t t;
#if defined SWITCH
  switch (n) { //! use-after-free
    case 1:;
      int v = 1;
    case 0:
      v = 3;
      pthread_create(&t, 0, reader, &v);
  }
  pthread_join(t, 0); //! use-after-free
#elif defined GOTO
  if (!n)
    goto inside;
  {
    n = 2;
    int v = 4;
  inside:
    v = 5;
    pthread_create(&t, 0, reader, &v);
  } //! use-after-free
  pthread_join(t, 0); //! use-after-free
#else
  {
    int *first = 0;
  again:;
    int v = n;
#ifdef TWICE
    if (first)
      assert(first == &v && *first == 1);
#endif
    first = &v;
    if (n++ < 1)
      goto again;
    pthread_create(&t, 0, reader, first);
#ifndef LABEL
    pthread_join(t, 0);
#endif
  } //! use-after-free
#ifdef LABEL
  pthread_join(t, 0); //! use-after-free
#endif
#endif
  return 0;
}
