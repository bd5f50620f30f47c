// refuse: exit=2
// about: a variable that is declared but defined nowhere
extern int limit;

int main(void) {
  return limit; //! refuse
}
