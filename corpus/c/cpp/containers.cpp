// about: strings, containers and streams of the C++ library
// from: by hand: one thread at a time
// run: | sc rc20 | executions=1 verdict=verified
// run: -DBUG_ERASED | sc rc20 | verdict=violation violation=use-after-free
// run: -DBUG_SHARED | rc11 rc20 | verdict=violation violation=race
#include <algorithm>
#include <cassert>
#include <deque>
#include <iostream>
#include <list>
#include <map>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

static void look_at(const std::map<int, int> &map) {
  int last = -1;
  for (auto &entry : map) {
    assert(entry.first > last);
    last = entry.first;
  }
}

int main() {
  std::string text = "hello";
  text += " world, this is long";
  assert(text.size() == 25 && text.find("this") == 13);
  std::cout << "x = " << 3 << ' ' << 2.5 << text << std::endl;
  std::list<int> list{1, 2};
  list.push_back(3);
  list.remove(2);
  assert(list.size() == 2 && list.back() == 3);
  std::map<int, int> map;
  for (int i = 0; i < 6; i++)
    map[(i * 5) % 7] = i;
  assert(map.at(3) == 2 && map.size() == 6);
  look_at(map);
  map.erase(5);
  map.erase(0);
  map.erase(map.begin());
  assert(map.size() == 3 && map.count(5) == 0 && map.rbegin()->first == 6);
  look_at(map);
  std::unordered_map<int, int> table;
  for (int i = 0; i < 5; i++)
    table[i * 7] = i;
  assert(table.size() == 5 && table[14] == 2);
  std::deque<int> deque{3, 1, 2};
  std::sort(deque.begin(), deque.end());
  assert(deque.front() == 1 && deque.back() == 3);
  std::vector<int> numbers{1, 2, 3};
#ifdef BUG_ERASED
  int &first = numbers[0];
  numbers.push_back(4);
  assert(first == 1); //! use-after-free
#endif
  std::thread t([&] {
    numbers[1] = 7; //! race
    std::cout << "in thread " << std::this_thread::get_id() << "\n";
  });
#ifdef BUG_SHARED
  assert(numbers[1] > 0); //! race
#endif
  t.join();
  assert(numbers[1] == 7);
}
