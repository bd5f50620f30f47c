// run: | sc rc20 | verdict=violation
// about: an atomic access at an odd address
static char bytes[8];

int main(void) {
  int *p = (int *)(void *)(bytes + 1);
  __atomic_store_n(p, 1, __ATOMIC_RELAXED);
  return bytes[0];
}
