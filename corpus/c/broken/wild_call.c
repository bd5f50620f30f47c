// run: | sc rc20 | verdict=violation
// about: a call of something that is no function
static int x = 7;

int main(void) {
  int (*f)(void) = (int (*)(void))(void *)&x;
  return f();
}
