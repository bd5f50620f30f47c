// refuse: exit=2
// about: an instruction that is known, with operands that do not fit: the compiler is not told that the register changes
static int x;

int main(void) {
  __asm__ volatile("lock; cmpxchgl %1, %0" : "+m"(x) : "r"(1), "a"(0) : "memory", "cc"); //! refuse
  return x - 1;
}
