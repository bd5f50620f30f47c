/* What the C++ library has compiled elsewhere: strings, and the nodes of trees, lists and hash tables. Included by
   raveler_libc.h for C++. A name that ends with * stands for all that begin so. */
/* provides: _ZNSaIc* _ZNKSt7__cxx1112basic_stringIc* _ZNSt7__cxx1112basic_stringIc* _ZSt18_Rb_tree_* */
/* provides: _ZSt29_Rb_tree_insert_and_rebalance* _ZSt28_Rb_tree_rebalance_for_erase* */
/* provides: _ZNSt8__detail15_List_node_base* _ZNKSt8__detail20_Prime_rehash_policy* _ZSt11_Hash_bytesPKvmm */
#ifndef RAVELER_CPP_H
#define RAVELER_CPP_H

#include <list>
#include <map>
#include <string>
#include <unordered_map>

template class std::allocator<char>;
template class std::basic_string<char>;

namespace std {

typedef _Rb_tree_node_base *rv_node;

_Rb_tree_node_base *_Rb_tree_increment(_Rb_tree_node_base *x) noexcept {
  if (x->_M_right) {
    x = x->_M_right;
    while (x->_M_left)
      x = x->_M_left;
    return x;
  }
  rv_node y = x->_M_parent;
  while (x == y->_M_right) {
    x = y;
    y = y->_M_parent;
  }
  return x->_M_right != y ? y : x;
}

_Rb_tree_node_base *_Rb_tree_decrement(_Rb_tree_node_base *x) noexcept {
  if (x->_M_color == _S_red && x->_M_parent->_M_parent == x)
    return x->_M_right;
  if (x->_M_left) {
    x = x->_M_left;
    while (x->_M_right)
      x = x->_M_right;
    return x;
  }
  rv_node y = x->_M_parent;
  while (x == y->_M_left) {
    x = y;
    y = y->_M_parent;
  }
  return y;
}

const _Rb_tree_node_base *_Rb_tree_increment(const _Rb_tree_node_base *x) noexcept {
  return _Rb_tree_increment(const_cast<rv_node>(x));
}

const _Rb_tree_node_base *_Rb_tree_decrement(const _Rb_tree_node_base *x) noexcept {
  return _Rb_tree_decrement(const_cast<rv_node>(x));
}

/* `y` takes the place of `x` below the parent of `x`. */
static void rv_replace(rv_node x, rv_node y, rv_node &root) {
  if (x == root)
    root = y;
  else if (x == x->_M_parent->_M_left)
    x->_M_parent->_M_left = y;
  else
    x->_M_parent->_M_right = y;
}

static void rv_rotate_left(rv_node x, rv_node &root) {
  rv_node y = x->_M_right;
  x->_M_right = y->_M_left;
  if (y->_M_left)
    y->_M_left->_M_parent = x;
  y->_M_parent = x->_M_parent;
  rv_replace(x, y, root);
  y->_M_left = x;
  x->_M_parent = y;
}

static void rv_rotate_right(rv_node x, rv_node &root) {
  rv_node y = x->_M_left;
  x->_M_left = y->_M_right;
  if (y->_M_right)
    y->_M_right->_M_parent = x;
  y->_M_parent = x->_M_parent;
  rv_replace(x, y, root);
  y->_M_right = x;
  x->_M_parent = y;
}

void _Rb_tree_insert_and_rebalance(const bool left, _Rb_tree_node_base *x, _Rb_tree_node_base *p,
                                   _Rb_tree_node_base &header) noexcept {
  rv_node &root = header._M_parent;
  x->_M_parent = p;
  x->_M_left = x->_M_right = nullptr;
  x->_M_color = _S_red;
  if (left) {
    p->_M_left = x;
    if (p == &header) {
      header._M_parent = x;
      header._M_right = x;
    } else if (p == header._M_left)
      header._M_left = x;
  } else {
    p->_M_right = x;
    if (p == header._M_right)
      header._M_right = x;
  }
  while (x != root && x->_M_parent->_M_color == _S_red) {
    rv_node grand = x->_M_parent->_M_parent;
    bool on_left = x->_M_parent == grand->_M_left;
    rv_node uncle = on_left ? grand->_M_right : grand->_M_left;
    if (uncle && uncle->_M_color == _S_red) {
      x->_M_parent->_M_color = _S_black;
      uncle->_M_color = _S_black;
      grand->_M_color = _S_red;
      x = grand;
      continue;
    }
    if (x == (on_left ? x->_M_parent->_M_right : x->_M_parent->_M_left)) {
      x = x->_M_parent;
      on_left ? rv_rotate_left(x, root) : rv_rotate_right(x, root);
    }
    x->_M_parent->_M_color = _S_black;
    grand->_M_color = _S_red;
    on_left ? rv_rotate_right(grand, root) : rv_rotate_left(grand, root);
  }
  root->_M_color = _S_black;
}

_Rb_tree_node_base *_Rb_tree_rebalance_for_erase(_Rb_tree_node_base *z, _Rb_tree_node_base &header) noexcept {
  rv_node &root = header._M_parent, y = z, x, above;
  if (z == header._M_left && z == header._M_right)
    header._M_left = header._M_right = &header;
  else if (z == header._M_left)
    header._M_left = _Rb_tree_increment(z);
  else if (z == header._M_right)
    header._M_right = _Rb_tree_decrement(z);
  if (!z->_M_left || !z->_M_right) {
    x = z->_M_left ? z->_M_left : z->_M_right;
    above = z->_M_parent;
    if (x)
      x->_M_parent = above;
    rv_replace(z, x, root);
  } else {
    y = z->_M_right;
    while (y->_M_left)
      y = y->_M_left;
    x = y->_M_right;
    z->_M_left->_M_parent = y;
    y->_M_left = z->_M_left;
    if (y != z->_M_right) {
      above = y->_M_parent;
      if (x)
        x->_M_parent = above;
      above->_M_left = x;
      y->_M_right = z->_M_right;
      z->_M_right->_M_parent = y;
    } else
      above = y;
    rv_replace(z, y, root);
    y->_M_parent = z->_M_parent;
    _Rb_tree_color kept = y->_M_color;
    y->_M_color = z->_M_color;
    z->_M_color = kept;
    y = z;
  }
  if (y->_M_color == _S_red)
    return z;
  while (x != root && (!x || x->_M_color == _S_black)) {
    bool on_left = x == above->_M_left;
    rv_node w = on_left ? above->_M_right : above->_M_left;
    if (w->_M_color == _S_red) {
      w->_M_color = _S_black;
      above->_M_color = _S_red;
      on_left ? rv_rotate_left(above, root) : rv_rotate_right(above, root);
      w = on_left ? above->_M_right : above->_M_left;
    }
    rv_node near = on_left ? w->_M_left : w->_M_right, far = on_left ? w->_M_right : w->_M_left;
    if ((!near || near->_M_color == _S_black) && (!far || far->_M_color == _S_black)) {
      w->_M_color = _S_red;
      x = above;
      above = above->_M_parent;
      continue;
    }
    if (!far || far->_M_color == _S_black) {
      near->_M_color = _S_black;
      w->_M_color = _S_red;
      on_left ? rv_rotate_right(w, root) : rv_rotate_left(w, root);
      w = on_left ? above->_M_right : above->_M_left;
      far = on_left ? w->_M_right : w->_M_left;
    }
    w->_M_color = above->_M_color;
    above->_M_color = _S_black;
    if (far)
      far->_M_color = _S_black;
    on_left ? rv_rotate_left(above, root) : rv_rotate_right(above, root);
    break;
  }
  if (x)
    x->_M_color = _S_black;
  return z;
}

namespace __detail {

void _List_node_base::_M_hook(_List_node_base *next) noexcept {
  _M_next = next;
  _M_prev = next->_M_prev;
  next->_M_prev->_M_next = this;
  next->_M_prev = this;
}

void _List_node_base::_M_unhook() noexcept {
  _M_prev->_M_next = _M_next;
  _M_next->_M_prev = _M_prev;
}

void _List_node_base::_M_reverse() noexcept {
  _List_node_base *node = this;
  do {
    _List_node_base *next = node->_M_next;
    node->_M_next = node->_M_prev;
    node->_M_prev = next;
    node = next;
  } while (node != this);
}

void _List_node_base::_M_transfer(_List_node_base *first, _List_node_base *last) noexcept {
  if (this == last)
    return;
  _List_node_base *end = last->_M_prev, *before = _M_prev;
  first->_M_prev->_M_next = last;
  last->_M_prev = first->_M_prev;
  before->_M_next = first;
  first->_M_prev = before;
  end->_M_next = this;
  _M_prev = end;
}

void _List_node_base::swap(_List_node_base &x, _List_node_base &y) noexcept {
  _List_node_base hold;
  hold._M_next = &hold;
  hold._M_prev = &hold;
  if (x._M_next != &x)
    hold._M_transfer(x._M_next, &x);
  if (y._M_next != &y)
    x._M_transfer(y._M_next, &y);
  if (hold._M_next != &hold)
    y._M_transfer(hold._M_next, &hold);
}

size_t _Prime_rehash_policy::_M_next_bkt(size_t n) const {
  if (n < 2)
    n = 2;
  for (;; n++) {
    size_t d = 2;
    while (d * d <= n && n % d)
      d++;
    if (d * d > n)
      break;
  }
  _M_next_resize = (size_t)(n * (double)_M_max_load_factor);
  return n;
}

pair<bool, size_t> _Prime_rehash_policy::_M_need_rehash(size_t buckets, size_t elements, size_t more) const {
  if (elements + more <= _M_next_resize)
    return {false, 0};
  double needed = (elements + (_M_next_resize ? more : (more > 11 ? more : 11))) / (double)_M_max_load_factor;
  if (needed >= buckets) {
    size_t least = (size_t)needed + 1;
    return {true, _M_next_bkt(least > buckets * 2 ? least : buckets * 2)};
  }
  _M_next_resize = (size_t)(buckets * (double)_M_max_load_factor);
  return {false, 0};
}

} // namespace __detail

size_t _Hash_bytes(const void *bytes, size_t n, size_t seed) {
  size_t hash = seed ^ 14695981039346656037ul;
  for (size_t i = 0; i < n; i++)
    hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211ul;
  return hash;
}

} // namespace std

#endif
