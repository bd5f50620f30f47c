; refuse: exit=2
; about: a block that does not end
define i32 @main() {
  %1 = add i32 1, 1
}
