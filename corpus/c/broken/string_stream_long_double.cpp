// refuse: exit=2
// about: what a stream into a string does not know is refused, not left out of the text
#include <sstream>

int main() {
  std::ostringstream out;
  out << 1.0L; //! refuse
  return out.str().size();
}
