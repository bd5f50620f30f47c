// refuse: exit=2
// about: reading from strings is not known
#include <sstream>

int main() {
  std::stringstream stream; //! refuse
  int number = 0;
  stream << 1;
  stream >> number;
  return number;
}
