// Classes, virtual functions, templates, exceptions, lambdas, references, static initialisation.
#include <cstdio>
#include <exception>
#include <initializer_list>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <typeinfo>
#include <variant>

struct Shape {
    virtual ~Shape() = default;
    virtual double area() const = 0;
    static int shapes;
    int tag = 7;
};
int Shape::shapes = 3;
struct Named {
    virtual const char *name() const { return "?"; }
    virtual ~Named() {}
};
struct Square final : virtual Shape, Named {
    double side;
    explicit Square(double s) : side(s) {}
    double area() const override { return side * side; }
    const char *name() const override { return "square"; }
};
struct Empty {};
struct Derived : Empty {
    int Derived::*member = nullptr;
    int (Derived::*method)(int) = &Derived::twice;
    int value = 1;
    int twice(int x) { return x * value; }
};

template <typename T, unsigned N> struct Array {
    T items[N]{};
    T &operator[](unsigned i) { return items[i]; }
    template <typename F> void each(F f) {
        for (auto &item : items) f(item);
    }
};
template <typename... T> auto sum(T... values) { return (values + ...); }
constexpr unsigned long factorial(unsigned n) { return n ? n * factorial(n - 1) : 1; }
inline const std::string greeting = "hello, world, from a long string";
static std::map<std::string, int> ages{{"a", 1}, {"b", 2}};
alignas(32) static Array<long, factorial(3)> array;
enum class Colour : unsigned char { Red, Green };
using Either = std::variant<int, std::string, Colour>;

struct Guard {
    int &depth;
    explicit Guard(int &d) : depth(d) { ++depth; }
    ~Guard() { --depth; }
};
int risky(int n) {
    static thread_local int depth;
    Guard guard(depth);
    if (n > 3) throw std::runtime_error("too much");
    if (n < 0) throw n;
    return risky(n + 1) + depth;
}
int careful(int n) noexcept {
    try {
        return risky(n);
    } catch (const std::runtime_error &e) {
        std::puts(e.what());
    } catch (int i) {
        return i;
    } catch (...) {
        throw;
    }
    return 0;
}
static int initial = careful(1);

double measure(const Shape &shape, Shape &&other) {
    if (auto *square = dynamic_cast<const Square *>(&shape)) return square->side;
    return shape.area() + other.area() + (typeid(shape) == typeid(other));
}
int main(int argc, char **) {
    Square square(argc);
    Derived derived;
    derived.member = &Derived::value;
    auto [x, y] = std::make_tuple(argc, 2.5);
    auto lambda = [&, copy = argc, x = x](int add) mutable { return x + add + copy++; };
    array.each([&](long &item) { item = lambda(1); });
    Either either = std::string("text");
    int (*plain)(int) = [](int i) { return i; };
    Shape *shape = new Square(2);
    double area = measure(square, Square(3));
    delete shape;
    return (derived.*derived.method)(derived.*derived.member) + sum(1, 2, 3) + int(y + area) + plain(ages["a"]) +
           std::visit([](auto &v) { return int(sizeof v); }, either) + Shape::shapes + initial + int(greeting.size());
}
