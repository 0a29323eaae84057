//! Integer divisions that have no result, for every type and width, optimised and not: the process
//! continues, and defined results are right (OpenCL 1.2, 6.3.a).

use crate::language::check;

/// `o[i]` is -7 before the kernel runs, which the compiler does not know.
fn kernel(declarations: &str, division: &str) -> String {
    format!(
        "{declarations}
        kernel void k(global int *o) {{
            int i = get_global_id(0), unknown = o[i], sum = 0;
            {division}
            o[i] = unknown == 1 ? sum : i + (unknown == 2);
        }}"
    )
}

#[test]
fn quotients_by_zero_and_minus_one_do_not_trap() {
    for ty in [
        "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong",
    ] {
        let mut divisions = format!(
            "{ty} zero = unknown + 7, least = ({ty})(1UL << (8 * sizeof({ty}) - 1)), x = least + i;
            {ty} minus_one = unknown + 6;
            sum += (int)(x / zero) + (int)(x % zero);
            sum += (int)(least / minus_one) + (int)(least % minus_one);
            x /= zero; x %= zero; sum += (int)x;"
        );
        for width in [2, 3, 4, 8, 16] {
            divisions += &format!(
                "{{
                    {ty}{width} x = least, y = zero;
                    y.s1 = minus_one;
                    {ty} results[16];
                    vstore{width}(x / y, 0, results);
                    sum += (int)results[i % {width}];
                    vstore{width}(x % y, 0, results);
                    sum += (int)results[i % {width}];
                    vstore{width}(x / zero, 0, results);
                    sum += (int)results[i % {width}];
                }}"
            );
        }
        check(&kernel("", &divisions), |i| i);
    }
}

#[test]
fn constant_divisors_without_a_result_do_not_trap() {
    let helper = "int divide(int x, int y) { return x / y; }
        constant int zeros[4] = {0, -1, 0, -1};";
    for division in [
        "sum = unknown / 0;",
        "sum = unknown % 0;",
        "sum = 1 / 0 + INT_MIN / -1 + INT_MIN % -1;",
        "sum = (int)(LONG_MIN / -1L + LONG_MIN % -1L);",
        "sum = (unknown + INT_MIN + 7) / -1;",
        "sum = (unknown + INT_MIN + 7) % -1;",
        "int4 q = (int4)(INT_MIN) / (int4)(0, -1, 2, unknown + 7); sum = q.x + q.y + q.w;",
        "uint4 q = (uint4)(unknown) / (uint4)(0, 1, 2, 0); sum = q.x + q.w;",
        "sum = divide(unknown, 0) + divide(INT_MIN, -1);",
        "sum = divide(INT_MIN, zeros[i & 3]);",
        "for (int n = 0; n < 8; ++n) sum += unknown / (n & (unknown + 7));",
        "for (int n = 3; n >= -3; --n) sum += INT_MIN / n;",
        "if (i & 1) sum = unknown / (unknown + 7); else sum = i / (unknown + 8);",
    ] {
        check(&kernel(helper, division), |i| i);
    }
}

#[test]
fn other_lanes_than_those_without_a_result_are_right() {
    for (division, expected) in [
        (
            "int4 q = (int4)(40, INT_MIN, 9, i) / (int4)(unknown + 7, unknown + 6, 4, 2);
             o[i] = q.z * 100 + q.w;",
            (|i| 200 + i / 2) as fn(i32) -> i32,
        ),
        (
            "short8 r = (short8)(i, 1, 2, 3, 4, 5, 6, -7) % (short8)(3, 0, 0, -1, 0, 0, 0, 4);
             o[i] = r.s0 * 10 + r.s7;",
            |i| i % 3 * 10 - 3,
        ),
        ("int y = i - 4, q = 1000 / y; o[i] = y == 0 ? 0 : q;", |i| {
            if i == 4 { 0 } else { 1000 / (i - 4) }
        }),
    ] {
        let source = format!(
            "kernel void k(global int *o) {{ int i = get_global_id(0), unknown = o[i]; {division} }}"
        );
        check(&source, expected);
    }
}
