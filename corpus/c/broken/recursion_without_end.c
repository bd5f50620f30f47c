// run: | sc rc20 | verdict=violation violation=stack-overflow
// about: a function that calls itself without end
static int depth(int n) {
  return depth(n + 1) + 1; //! stack-overflow
}

int main(void) { return depth(0); }
