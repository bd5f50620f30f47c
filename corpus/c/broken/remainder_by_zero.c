// run: | sc rc20 | verdict=violation violation=division-by-zero
// about: the remainder of a division by 0
int main(void) {
  volatile unsigned n = 0;
  return (int)(7u % n); //! division-by-zero
}
