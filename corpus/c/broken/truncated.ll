; refuse: exit=2
; about: a file that ends in the middle of a function
target triple = "x86_64-pc-linux-gnu"

@x = global i32 0

define i32 @main() {
  %1 = load i32, i32* @x
  %2 = add i32 %1,
