// refuse: exit=2
// about: an instruction that the processor does not lock either
static long x;

int main(void) {
  __asm__ volatile("lock; movq %1, %0" : "+m"(x) : "r"(1L) : "memory"); //! refuse
  return 0;
}
