// refuse: exit=2
// about: clang understands the text but not the types
struct pair {
  int a, b;
};

int main(void) {
  struct pair p = {1, 2};
  return p + 1; //! refuse
}
