// refuse: exit=2
// about: a header that is not there
#include "no_such_header.h" //! refuse

int main(void) { return 0; }
