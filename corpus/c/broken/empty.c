// refuse: exit=2
// about: a file without any code
