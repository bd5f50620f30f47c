// run: | sc rc20 | verdict=violation
// about: the program gives up by itself
#include <stdlib.h>

int main(void) { abort(); }
