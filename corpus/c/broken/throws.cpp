// refuse: exit=2
// about: exceptions are not supported
#include <stdexcept>

int main() {
  throw std::runtime_error("no"); //! refuse
}
