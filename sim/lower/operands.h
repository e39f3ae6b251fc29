// What an operation reads and writes, by number: rows first, then predicates.
#pragma once

#include "lower/flat.h"

namespace lanescope {

/// A row's number is its own (of the first of two), a predicate's comes behind all rows.
inline std::uint32_t number_of_predicate(const FlatCode& code, std::uint32_t predicate) {
  return code.rows + 2 + predicate;
}
inline bool is_predicate_number(const FlatCode& code, std::uint32_t number) {
  return number >= number_of_predicate(code, 0);
}
inline std::uint32_t predicate_of_number(const FlatCode& code, std::uint32_t number) {
  return number - number_of_predicate(code, 0);
}
inline std::uint32_t numbers_of(const FlatCode& code) { return code.rows + code.predicates + 3; }

template <class Use>
void for_each_use(const FlatCode& code, const Op& op, Use use) {
  const OperationInfo& info = operation_info(op.code);
  const auto row = [&](std::uint32_t index) {
    if (index != kNone) use(index);
  };
  const auto operand = [&](Operand kind, std::uint32_t index) {
    if (kind == Operand::row32 || kind == Operand::row64) row(index);
    if (kind == Operand::predicate && index != kNone) use(number_of_predicate(code, index));
  };
  operand(info.a, op.a);
  operand(info.b, op.b);
  operand(info.c, op.c);
  if (info.a == Operand::call) {
    const WarpCall& call = code.calls[op.a];
    for (const std::uint32_t index : {call.mask, call.value, call.operand, call.width, call.mode})
      row(index);
  }
  if (info.a == Operand::product) {
    const MatrixCall& product = code.products[op.a];
    for (std::size_t i = 0; i < product.a_count; ++i) row(product.a[i]);
    for (std::size_t i = 0; i < product.b_count; ++i) row(product.b[i]);
    for (std::size_t i = 0; i < product.c_count; ++i) row(product.c[i]);
  }
  if (info.a == Operand::group_product) {
    const GroupProduct& product = code.group_products[op.a];
    for (const std::uint32_t index : product.a) row(index);
    for (const std::uint32_t index : product.c) row(index);
    row(product.a_descriptor);
    row(product.b_descriptor);
    operand(Operand::predicate, product.adds);
  }
  if (info.a == Operand::bulk_copy) {
    const BulkCopy& copy = code.bulk_copies[op.a];
    for (const std::uint32_t index : {copy.shared, copy.global, copy.mbarrier, copy.bytes})
      row(index);
    for (const std::uint32_t index : copy.coordinates) row(index);
    for (const std::uint32_t index : copy.offsets) row(index);
    row(copy.multicast);
  }
  if (info.a != Operand::reference) return;
  const MemRef& ref = code.refs[op.a];
  const auto address = [&](const MemRef& of) {
    row(of.base);
    for (const MemTerm& term : of.terms) row(term.row);
  };
  address(ref);
  // What a copy costs is known by both of its addresses.
  if (ref.other_side != kNone) address(code.refs[ref.other_side]);
  row(ref.operand);
  row(ref.compare);
  if (op.code == Code::store)
    for (std::uint32_t c = 0; c < ref.components; ++c)
      operand(ref.predicate_value ? Operand::predicate : Operand::row32, ref.value[c]);
}

template <class Define>
void for_each_result(const FlatCode& code, const Op& op, Define define) {
  const OperationInfo& info = operation_info(op.code);
  if (info.dst == Operand::row32 || info.dst == Operand::row64) define(op.dst);
  if (info.dst == Operand::predicate) define(number_of_predicate(code, op.dst));
  if (info.a == Operand::product)
    for (std::size_t i = 0; i < code.products[op.a].c_count; ++i) define(code.products[op.a].d[i]);
  if (info.a == Operand::group_product)
    for (const std::uint32_t index : code.group_products[op.a].d) define(index);
  if (info.kind != OperationKind::access || op.code == Code::store) return;
  const MemRef& ref = code.refs[op.a];
  for (std::uint32_t c = 0; c < ref.components; ++c) {
    if (ref.value[c] == kNone) continue;
    define(ref.predicate_value ? number_of_predicate(code, ref.value[c]) : ref.value[c]);
  }
}

}  // namespace lanescope
