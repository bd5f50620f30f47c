// refuse: exit=2
// about: a register of another width than the instruction's: the assembler would not take it either
static long x;

int main(void) {
  __asm__ volatile("lock; xaddl %1, %0" : "+m"(x) : "r"(1L) : "memory", "cc"); //! refuse
  return 0;
}
