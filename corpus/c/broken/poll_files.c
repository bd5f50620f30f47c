// refuse: exit=2
// about: poll with a file descriptor
#include <poll.h>

int main(void) {
  struct pollfd file = {0, POLLIN, 0};
  return poll(&file, 1, 0); //! refuse
}
