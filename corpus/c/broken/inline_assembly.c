// refuse: exit=2
// about: inline assembly that is not known
static int x;

int main(void) {
  __asm__ volatile("rcll $1, %0" : "+m"(x) : : "memory", "cc"); //! refuse
  return x - 1;
}
