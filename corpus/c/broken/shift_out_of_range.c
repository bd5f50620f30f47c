// run: | sc rc20 | verdict=violation violation=arithmetic
// about: a shift by more bits than there are
int main(void) {
  volatile int n = 40;
  return 1 << n; //! arithmetic
}
