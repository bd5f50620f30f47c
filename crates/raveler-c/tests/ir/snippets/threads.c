// POSIX threads, thread-local variables, assertions, constructors.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

_Thread_local int own = 3;
static __thread struct {
    int a;
    char b[4];
} mine = {1, "abc"};
extern _Thread_local int theirs;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int ready;
static atomic_int total;

static void begin(void) { ready = 0; }
__attribute__((constructor)) static void before(void) { total = 1; }
__attribute__((destructor(200))) static void after(void) { total = 0; }
__attribute__((weak)) int replaceable(int x) { return x; }
static inline int helper(int x) {
    static int calls;
    return calls++ + x;
}
static void tidy(int *p) { *p = 0; }
static void *work(void *argument) {
    __attribute__((cleanup(tidy))) int local = *(int *)argument;
    pthread_once(&once, begin);
    pthread_mutex_lock(&mutex);
    while (!ready) pthread_cond_wait(&condition, &mutex);
    own += helper(local) + mine.a + theirs;
    pthread_mutex_unlock(&mutex);
    atomic_fetch_add_explicit(&total, own, memory_order_relaxed);
    return &own == argument ? 0 : argument;
}
int main(void) {
    pthread_t threads[3];
    int numbers[3];
    for (int i = 0; i < 3; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, work, &numbers[i])) return 1;
    }
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(total == 4 && "all have counted");
    printf("%d %d\n", total, replaceable(own));
    return 0;
}
