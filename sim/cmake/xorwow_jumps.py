#!/usr/bin/env python3
"""Writes sim/frontend/prelude/libraries/lanescope_xorwow_jumps.h: how XORWOW's state jumps ahead.

XORWOW's five words follow a linear recurrence over GF(2) (Marsaglia, "Xorshift RNGs", 2003), one step of
which is a matrix T. By its characteristic polynomial p of degree 160, T^n = g(T) with g = x^n mod p: the
state after n steps is the sum of those among the next 160 states that g has a coefficient for.

Run by hand; the result is in the repository: python3 sim/cmake/xorwow_jumps.py > the header.
"""

WORDS = 5
SUBSEQUENCE = 67  # a subsequence is 2^67 numbers long


def step(v):
    t = v[0] ^ (v[0] >> 2)
    return [*v[1:], (v[4] ^ (v[4] << 4) ^ t ^ (t << 1)) & 0xFFFFFFFF]


def characteristic_polynomial():
    """Of one bit's sequence, by Berlekamp and Massey; bit i is the coefficient of x^i."""
    v, bits = [1, 2, 3, 4, 5], []
    for _ in range(400):
        bits.append(v[0] & 1)
        v = step(v)
    now, last, length, since = 1, 1, 0, 1
    for n in range(len(bits)):
        wrong = 0
        for i in range(length + 1):
            wrong ^= (now >> i & 1) & bits[n - i]
        if not wrong:
            since += 1
        elif 2 * length <= n:
            now, last, length, since = now ^ (last << since), now, n + 1 - length, 1
        else:
            now ^= last << since
            since += 1
    assert length == 32 * WORDS
    return sum((now >> i & 1) << (length - i) for i in range(length + 1))


P = characteristic_polynomial()


def times(a, b):
    product = 0
    for i in range(32 * WORDS - 1, -1, -1):
        product <<= 1
        if product >> (32 * WORDS) & 1:
            product ^= P
        if b >> i & 1:
            product ^= a
    return product


def interleaved(g):
    """Word j's bit k is the coefficient of x^(5k + j): five steps at a time take a bit of each."""
    return [sum((g >> (WORDS * k + j) & 1) << k for k in range(32)) for j in range(WORDS)]


def table(name, doublings):
    base = 2  # x: one step
    for _ in range(doublings):
        base = times(base, base)
    print(f"static __constant__ const unsigned {name}[16][15][5] = {{")
    for _ in range(16):
        power, rows = 1, []
        for _ in range(15):
            power = times(power, base)
            rows.append("{" + ",".join(f"{word:#x}" for word in interleaved(power)) + "}")
        base = times(power, base)
        print("  {" + ",\n   ".join(",".join(rows[i : i + 3]) for i in range(0, 15, 3)) + "},")
    print("};")


print("// Made by sim/cmake/xorwow_jumps.py. [i][d - 1]: the polynomial of d * 16^i steps, or subsequences.")
print("#pragma once\n")
table("lanescope_xorwow_steps", 0)
table("lanescope_xorwow_subsequences", SUBSEQUENCE)
