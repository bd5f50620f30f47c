// run: | sc rc20 | verdict=violation
// about: the address of a local variable of a function that has returned
static int *keep;

static void set(void) {
  int local = 1;
  keep = &local;
}

int main(void) {
  set();
  return *keep;
}
