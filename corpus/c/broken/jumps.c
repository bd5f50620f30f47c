// refuse: exit=2
// about: setjmp and longjmp
#include <setjmp.h>

static jmp_buf back;

int main(void) {
  if (setjmp(back)) //! refuse
    return 0;
  longjmp(back, 1); //! refuse
}
