// run: | sc rc20 | verdict=violation violation=assertion
// about: the verification intrinsic for what must not be reached
void reach_error(void);

int main(void) {
  volatile int x = 1;
  if (x)
    reach_error(); //! assertion
}
