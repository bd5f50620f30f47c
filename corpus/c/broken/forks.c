// refuse: exit=2
// about: another process is started
#include <unistd.h>

int main(void) {
  return fork() == 0; //! refuse
}
