// run: | sc rc20 | verdict=violation
// about: a string constant is written
int main(void) {
  char *s = "text";
  s[0] = 'T';
  return s[1];
}
