// run: | sc rc20 | verdict=violation violation=out-of-bounds
// about: before the beginning of a local array
int main(void) {
  int a[4] = {0};
  volatile int i = -1;
  return a[i]; //! out-of-bounds
}
