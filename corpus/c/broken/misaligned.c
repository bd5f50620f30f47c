// run: | sc rc20 | verdict=violation violation=other
// about: an int is read where none can stand; members of packed structs can stand anywhere
#include <string.h>

struct __attribute__((packed)) record {
  char tag;
  int number;
};

static char buffer[16];

int main(void) {
  struct record record = {'r', 3};
  struct record *pointer = &record;
  pointer->number++;
  memcpy(buffer + 1, &pointer->number, sizeof(int));
  return *(int *)(buffer + 1); //! other
}
