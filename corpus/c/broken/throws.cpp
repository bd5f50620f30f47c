// refuse: exit=2
// about: an exception class that the compiled part of the C++ library has, and raveler does not provide
#include <ios>

int main() {
  try {
    throw std::ios_base::failure("no"); //! refuse
  } catch (const std::exception &) {
  }
}
