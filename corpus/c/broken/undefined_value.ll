; refuse: exit=2
; about: a value that is used but not defined
define i32 @main() {
  %1 = add i32 %missing, 1
  ret i32 %1
}
