// refuse: exit=2
// about: inline assembly
static int x;

int main(void) {
  __asm__ volatile("incl %0" : "+m"(x)); //! refuse
  return x - 1;
}
