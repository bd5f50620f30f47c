// refuse: exit=2
// about: there is no main
int add(int a, int b) { return a + b; }
