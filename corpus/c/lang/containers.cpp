// run: | sc rc20 | executions=1 verdict=verified
// about: containers and other templates of the library, virtual functions, closures
#include <algorithm>
#include <array>
#include <cassert>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

struct Shape {
  virtual int area() const = 0;
  virtual ~Shape() = default;
};
struct Square : Shape {
  int side;
  explicit Square(int side) : side(side) {}
  int area() const override { return side * side; }
};
struct A {
  int a = 1;
  virtual int f() { return a; }
};
struct B : virtual A {
  int b = 2;
};
struct C : virtual A {
  int f() override { return a + 10; }
};
struct D : B, C {};

static int count() {
  static int n = 3;
  return n++;
}

int main() {
  std::vector<int> numbers;
  for (int i = 0; i < 9; i++)
    numbers.push_back(i * 7 % 9);
  std::sort(numbers.begin(), numbers.end());
  assert(numbers[8] == 8 && numbers.size() == 9);

  std::string text = "hello";
  text += ", a string that needs memory of its own";
  assert(text.find("string") == 9 && text.size() == 44);

  std::map<std::string, int> map;
  for (const char *word : {"one", "two", "three", "two"})
    map[word]++;
  assert(map.size() == 3 && map["two"] == 2 && map.begin()->first == "one");
  map.erase("one");
  assert(map.begin()->first == "three");

  std::unordered_map<int, int> table;
  for (int i = 0; i < 30; i++)
    table[i * i] = i;
  assert(table.at(25) == 5 && table.count(26) == 0);

  std::list<int> list{1, 2, 3};
  list.reverse();
  assert(list.front() == 3);

  std::unique_ptr<Shape> shape = std::make_unique<Square>(3);
  std::shared_ptr<Shape> shared = std::make_shared<Square>(2), again = shared;
  assert(shape->area() == 9 && again->area() == 4 && shared.use_count() == 2);

  D d;
  A &base = d;
  assert(base.f() == 11);

  int k = 5;
  std::function<int(int)> add = [&k](int n) { return n + k; };
  std::optional<int> maybe = add(2);
  std::variant<int, double> either = 2.5;
  auto [first, second] = std::make_tuple(1, 2);
  assert(*maybe == 7 && std::get<double>(either) == 2.5 && first + second == 3);
  assert(count() == 3 && count() == 4);
  return 0;
}
