// refuse: | tso pso sra ra rc11 rc20 xmm
// about: atomic operations on 16 bytes under another model than sc
static _Alignas(16) struct pair {
  long low, high;
} shared;

int main(void) {
  struct pair value;
  __atomic_load(&shared, &value, __ATOMIC_SEQ_CST); //! refuse
  return (int)value.low;
}
