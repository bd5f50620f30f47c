// refuse: exit=2
// about: clang does not understand the text; its message is shown
int main(void) {
  int x = ; //! refuse
  return x;
}
