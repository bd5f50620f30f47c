// run: | sc rc20 | verdict=violation
// about: what the program promised not to reach is reached
int main(void) {
  volatile int x = 1;
  if (x)
    __builtin_unreachable();
  return 0;
}
