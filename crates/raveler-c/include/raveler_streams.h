/* std::ostringstream, and what it needs of std::ostream: output of integers, strings, characters, pointers and numbers with
   fractions, which the C++ library has compiled elsewhere. A unit of its own, linked behind programs that use it: the functions
   have the names that the compiler gives to the library's. What is not here is refused by name. */
#ifndef RAVELER_STREAMS_H
#define RAVELER_STREAMS_H

#include <iomanip>
#include <iostream>
#include <new>
#include <sstream>
#include <string>

/* They answer references and strings, as the library's do. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"

/* What goes to std::cout and the like is shown in reports: raveler itself writes it. */
extern "C" {
std::ostream &__rv_stream_signed(std::ostream &, unsigned long, unsigned long bits);
std::ostream &__rv_stream_unsigned(std::ostream &, unsigned long);
std::ostream &__rv_stream_bool(std::ostream &, bool);
std::ostream &__rv_stream_pointer(std::ostream &, const void *);
std::ostream &__rv_stream_double(std::ostream &, double);
std::ostream &__rv_stream_put(std::ostream &, char);
std::ostream &__rv_stream_bytes(std::ostream &, const char *, long);
std::ostream &__rv_stream_write(std::ostream &, const char *, long);
std::ostream &__rv_stream_change(std::ostream &, std::ios_base &(*)(std::ios_base &));
std::ostream &__rv_stream_width(std::ostream &, int);
std::ostream &__rv_stream_fill(std::ostream &, char);
std::ostream &__rv_stream_precision(std::ostream &, int);
}

/* The program is not followed further; nothing is said of it. */
extern "C" void __rv_refuse(const char *);

/* The memory of an std::ostringstream, as libstdc++ lays it out: the text takes the place of its buffer. */
struct __rv_stream {
  const void *const *table;
  std::string text;
  char unused[112 - sizeof(void *) - sizeof(std::string)];
  /* std::ios */
  const void *ios_table;
  long precision, width;
  unsigned flags, exceptions, state;
  char more[224 - 36];
  char fill;
  bool has_fill;
};
static_assert(sizeof(std::ostringstream) == 376 && __builtin_offsetof(__rv_stream, ios_table) == 112, "libstdc++'s layout");
static_assert(__builtin_offsetof(__rv_stream, fill) == 112 + 224, "libstdc++'s layout");

static __rv_stream *__rv_streams(const std::ostream *os) {
  return os == &std::cout || os == &std::cerr || os == &std::clog ? nullptr : (__rv_stream *)os;
}

static void __rv_stream_ends(__rv_stream *stream) { stream->text.~basic_string(); }

static void __rv_stream_is_deleted(__rv_stream *stream) {
  __rv_stream_ends(stream);
  ::operator delete(stream);
}

/* Where std::ios lies, then the virtual functions. */
static const void *const __rv_stream_table[] = {(const void *)112, nullptr, nullptr, (const void *)__rv_stream_ends,
                                                (const void *)__rv_stream_is_deleted};

static void __rv_stream_begins(__rv_stream *stream) {
  stream->table = &__rv_stream_table[3];
  ::new (&stream->text) std::string;
  stream->ios_table = nullptr;
  stream->precision = 6;
  stream->width = 0;
  stream->flags = (unsigned)(std::ios::skipws | std::ios::dec);
  stream->exceptions = stream->state = 0;
  stream->fill = ' ';
  stream->has_fill = true;
}

/* The text of one item, filled up to the width; `signs` of its characters are a sign or a base. */
static std::ostream &__rv_put(std::ostream &os, const char *text, unsigned long size, unsigned long signs) {
  __rv_stream *to = __rv_streams(&os);
  if (!to)
    return __rv_stream_bytes(os, text, size);
  if (to->state)
    return os;
  unsigned long gap = to->width > (long)size ? to->width - size : 0;
  unsigned side = to->flags & std::ios::adjustfield;
  unsigned long before = side == std::ios::left ? size : side == std::ios::internal ? signs : 0;
  to->width = 0;
  to->text.append(text, before);
  to->text.append(gap, to->fill);
  to->text.append(text + before, size - before);
  return os;
}

static std::ostream &__rv_put_number(std::ostream &os, unsigned long value, bool negative, bool is_signed) {
  __rv_stream *to = __rv_streams(&os);
  if (!to)
    return __rv_stream_unsigned(os, value);
  unsigned base = to->flags & std::ios::basefield;
  unsigned radix = base == std::ios::hex ? 16 : base == std::ios::oct ? 8 : 10;
  bool upper = to->flags & std::ios::uppercase;
  char digits[32];
  int at = 32;
  int signs = 0;
  unsigned long left = value;
  do {
    digits[--at] = (upper ? "0123456789ABCDEF" : "0123456789abcdef")[left % radix];
    left /= radix;
  } while (left);
  if ((to->flags & std::ios::showbase) && value && radix != 10) {
    if (radix == 16) {
      digits[--at] = upper ? 'X' : 'x';
      signs = 2;
    }
    digits[--at] = '0';
  }
  if (radix == 10 && is_signed && (negative || (to->flags & std::ios::showpos))) {
    digits[--at] = negative ? '-' : '+';
    signs = 1;
  }
  return __rv_put(os, digits + at, 32 - at, signs);
}

/* A signed number: in other bases than ten it is shown as the unsigned one with the same bits. */
template <typename T, typename Unsigned> static std::ostream &__rv_put_signed(std::ostream &os, T value) {
  __rv_stream *to = __rv_streams(&os);
  if (!to)
    return __rv_stream_signed(os, (unsigned long)value, 8 * sizeof value);
  unsigned base = to->flags & std::ios::basefield;
  if (base == std::ios::hex || base == std::ios::oct)
    return __rv_put_number(os, (Unsigned)value, false, false);
  return __rv_put_number(os, value < 0 ? -(unsigned long)value : value, value < 0, true);
}

static std::ostream &__rv_put_double(std::ostream &os, double value) {
  __rv_stream *to = __rv_streams(&os);
  if (!to)
    return __rv_stream_double(os, value);
  char text[400];
  unsigned form = to->flags & std::ios::floatfield;
  const char *how = form == std::ios::fixed ? "%.*f" : form == std::ios::scientific ? "%.*e" : "%.*g";
  if (form == std::ios::floatfield || (to->flags & (std::ios::showpos | std::ios::showpoint | std::ios::uppercase)))
    __rv_refuse("this form of a number with a fraction is not known for std::ostringstream");
  int size = __builtin_snprintf(text, sizeof text, how, (int)to->precision, value);
  return __rv_put(os, text, size, text[0] == '-');
}

extern "C" {
#define RV_OSTRINGSTREAM(rest) _ZNSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEE##rest
#define RV_OSTRINGSTREAM_CONST(rest) _ZNKSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEE##rest
#define RV_IOS(rest) _ZNSt9basic_iosIcSt11char_traitsIcEE##rest
#define RV_IOS_CONST(rest) _ZNKSt9basic_iosIcSt11char_traitsIcEE##rest

void RV_OSTRINGSTREAM(C1Ev)(__rv_stream *stream) { __rv_stream_begins(stream); }
void RV_OSTRINGSTREAM(C1ESt13_Ios_Openmode)(__rv_stream *stream, int mode) {
  __rv_stream_begins(stream);
  if (mode & (std::ios::app | std::ios::ate | std::ios::in))
    __rv_refuse("an std::ostringstream that appends or reads is not known");
}
void RV_OSTRINGSTREAM(C1ERKNS_12basic_stringIcS2_S3_EESt13_Ios_Openmode)(__rv_stream *stream, const std::string &,
                                                                      int) {
  __rv_stream_begins(stream);
  __rv_refuse("an std::ostringstream that begins with a text is not known: write the text into it");
}
void RV_OSTRINGSTREAM(D1Ev)(__rv_stream *stream) { __rv_stream_ends(stream); }
std::string RV_OSTRINGSTREAM_CONST(3strEv)(const __rv_stream *stream) { return stream->text; }
void RV_OSTRINGSTREAM(3strERKNS_12basic_stringIcS2_S3_EE)(__rv_stream *stream, const std::string &text) {
  if (!text.empty())
    __rv_refuse("an std::ostringstream is given a text that is not empty: write the text into it");
  stream->text.clear();
}

std::ostream &_ZNSolsEs(std::ostream &os, short value) { return __rv_put_signed<short, unsigned short>(os, value); }
std::ostream &_ZNSolsEi(std::ostream &os, int value) { return __rv_put_signed<int, unsigned>(os, value); }
std::ostream &_ZNSolsEl(std::ostream &os, long value) { return __rv_put_signed<long, unsigned long>(os, value); }
std::ostream &_ZNSolsEx(std::ostream &os, long long value) { return __rv_put_signed<long, unsigned long>(os, value); }
std::ostream &_ZNSolsEt(std::ostream &os, unsigned short value) { return __rv_put_number(os, value, false, false); }
std::ostream &_ZNSolsEj(std::ostream &os, unsigned value) { return __rv_put_number(os, value, false, false); }
std::ostream &_ZNSolsEm(std::ostream &os, unsigned long value) { return __rv_put_number(os, value, false, false); }
std::ostream &_ZNSolsEy(std::ostream &os, unsigned long long value) {
  return __rv_put_number(os, value, false, false);
}
std::ostream &_ZNSolsEd(std::ostream &os, double value) { return __rv_put_double(os, value); }
std::ostream &_ZNSolsEf(std::ostream &os, float value) { return __rv_put_double(os, value); }
std::ostream &_ZNSolsEb(std::ostream &os, bool value) {
  __rv_stream *to = __rv_streams(&os);
  if (!to)
    return __rv_stream_bool(os, value);
  if (!(to->flags & std::ios::boolalpha))
    return __rv_put_number(os, value, false, true);
  return value ? __rv_put(os, "true", 4, 0) : __rv_put(os, "false", 5, 0);
}
std::ostream &_ZNSolsEPKv(std::ostream &os, const void *pointer) {
  __rv_stream *to = __rv_streams(&os);
  if (!to)
    return __rv_stream_pointer(os, pointer);
  unsigned flags = to->flags;
  to->flags = (flags & ~(unsigned)(std::ios::basefield | std::ios::uppercase)) | std::ios::hex | std::ios::showbase;
  __rv_put_number(os, (unsigned long)pointer, false, false);
  to->flags = flags;
  return os;
}
std::ostream &_ZNSolsEDn(std::ostream &os, decltype(nullptr)) { return __rv_put(os, "nullptr", 7, 0); }
std::ostream &_ZNSolsEPFRSoS_E(std::ostream &os, std::ostream &(*change)(std::ostream &)) { return change(os); }
std::ostream &_ZNSolsEPFRSt8ios_baseS0_E(std::ostream &os, std::ios_base &(*change)(std::ios_base &)) {
  __rv_stream *to = __rv_streams(&os);
  if (!to)
    return __rv_stream_change(os, change);
  change((std::ios_base &)to->ios_table);
  return os;
}
std::ostream &_ZNSo3putEc(std::ostream &os, char c) {
  __rv_stream *to = __rv_streams(&os);
  if (!to)
    return __rv_stream_put(os, c);
  to->text.push_back(c);
  return os;
}
std::ostream &_ZNSo5writeEPKcl(std::ostream &os, const char *text, long size) {
  __rv_stream *to = __rv_streams(&os);
  if (!to)
    return __rv_stream_write(os, text, size);
  to->text.append(text, size);
  return os;
}
std::ostream &_ZNSo5flushEv(std::ostream &os) { return os; }
std::ostream &_ZSt5flushIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_(std::ostream &os) { return os; }
std::ostream &_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_(std::ostream &os) {
  return _ZNSo3putEc(os, '\n');
}
std::ostream &_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c(std::ostream &os, char c) {
  return __rv_put(os, &c, 1, 0);
}
std::ostream &_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_a(std::ostream &os, signed char c) {
  return __rv_put(os, (char *)&c, 1, 0);
}
std::ostream &_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_h(std::ostream &os, unsigned char c) {
  return __rv_put(os, (char *)&c, 1, 0);
}
std::ostream &_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc(std::ostream &os, const char *text) {
  return __rv_put(os, text, __builtin_strlen(text), 0);
}
std::ostream &_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l(std::ostream &os,
                                                                                           const char *text, long size) {
  return __rv_put(os, text, size, 0);
}
std::ostream &
_ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostreamIT_T0_ES7_RKNSt7__cxx1112basic_stringIS4_S5_T1_EE(
    std::ostream &os, const std::string &text) {
  return __rv_put(os, text.data(), text.size(), 0);
}
std::ostream &_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St5_Setw(std::ostream &os, int width) {
  __rv_stream *to = __rv_streams(&os);
  if (!to)
    return __rv_stream_width(os, width);
  to->width = width;
  return os;
}
std::ostream &_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St8_SetfillIS3_E(std::ostream &os, char fill) {
  __rv_stream *to = __rv_streams(&os);
  if (!to)
    return __rv_stream_fill(os, fill);
  to->fill = fill;
  return os;
}
std::ostream &_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St13_Setprecision(std::ostream &os, int digits) {
  __rv_stream *to = __rv_streams(&os);
  if (!to)
    return __rv_stream_precision(os, digits);
  to->precision = digits;
  return os;
}

/* `this` of these is the part that is std::ios. */
static __rv_stream *__rv_stream_of(const void *ios) { return (__rv_stream *)((char *)ios - 112); }

bool RV_IOS_CONST(ntEv)(const void *ios) { return __rv_stream_of(ios)->state & (std::ios::failbit | std::ios::badbit); }
bool RV_IOS_CONST(4failEv)(const void *ios) {
  return __rv_stream_of(ios)->state & (std::ios::failbit | std::ios::badbit);
}
bool RV_IOS_CONST(cvbEv)(const void *ios) {
  return !(__rv_stream_of(ios)->state & (std::ios::failbit | std::ios::badbit));
}
bool RV_IOS_CONST(4goodEv)(const void *ios) { return __rv_stream_of(ios)->state == 0; }
void RV_IOS(5clearESt12_Ios_Iostate)(void *ios, int state) { __rv_stream_of(ios)->state = state; }
}

#pragma clang diagnostic pop

#endif
