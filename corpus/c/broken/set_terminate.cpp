// refuse: exit=2
// about: what would run instead of the end of a program
#include <cstdlib>
#include <exception>

int main() {
  std::set_terminate([] { std::exit(0); }); //! refuse
  throw 1;
}
