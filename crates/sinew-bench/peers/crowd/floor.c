/* The least that a two-bone limb costs in f32 lanes: positions of elbow and tip, or two rotations of bones along X, with a
 * pole, in reach, exact square roots and divisions, nothing else looked at. Structure of arrays, 4096 limbs in cache.
 * Vectors are GCC's and Clang's own, so that a width is a number: `cc -O3 -march=native -ffp-contract=off -DLANES=8`. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef float V __attribute__((vector_size(4 * LANES)));
enum { COUNT = 4096, ROUNDS = 1, TRIES = 1000 };

static V root_of(V x) {
    V y;
    for (int i = 0; i < LANES; i++) y[i] = __builtin_sqrtf(x[i]);
    return y;
}

typedef int M __attribute__((vector_size(4 * LANES)));

static V pick(M mask, V yes, V no) { return (V)(((M)yes & mask) | ((M)no & ~mask)); }

static float in[12][COUNT] __attribute__((aligned(64))), out[8][COUNT] __attribute__((aligned(64)));

#define AT(array, i) (*(V *)&(array)[i])

/* Unit line and bend, and where the elbow is along and aside. */
#define TRIANGLE \
    V tx = AT(in[3], i) - AT(in[0], i), ty = AT(in[4], i) - AT(in[1], i), tz = AT(in[5], i) - AT(in[2], i); \
    V px = AT(in[6], i), py = AT(in[7], i), pz = AT(in[8], i), l1 = AT(in[9], i), l2 = AT(in[10], i); \
    V h = tx * tx + ty * ty + tz * tz, d = root_of(h), r = 1.0f / d; \
    V ux = tx * r, uy = ty * r, uz = tz * r, dot = px * ux + py * uy + pz * uz; \
    V bx = px - ux * dot, by = py - uy * dot, bz = pz - uz * dot; \
    V s = 1.0f / root_of(bx * bx + by * by + bz * bz); \
    bx *= s, by *= s, bz *= s; \
    V along = 0.5f * (h + (l1 - l2) * (l1 + l2)) * r, aside = root_of(l1 * l1 - along * along);

__attribute__((noinline)) static void positions(void) {
    for (int i = 0; i < COUNT; i += LANES) {
        TRIANGLE
        AT(out[0], i) = AT(in[0], i) + ux * along + bx * aside;
        AT(out[1], i) = AT(in[1], i) + uy * along + by * aside;
        AT(out[2], i) = AT(in[2], i) + uz * along + bz * aside;
        AT(out[3], i) = AT(in[3], i), AT(out[4], i) = AT(in[4], i), AT(out[5], i) = AT(in[5], i);
    }
}

/* The root's rotation takes X to the first bone and Y to the bend's side; the elbow's is about Z. */
__attribute__((noinline)) static void rotations(void) {
    for (int i = 0; i < COUNT; i += LANES) {
        TRIANGLE
        V q = 1.0f / l1, c = along * q, w = aside * q;
        V xx = ux * c + bx * w, xy = uy * c + by * w, xz = uz * c + bz * w;
        V yx = bx * c - ux * w, yy = by * c - uy * w, yz = bz * c - uz * w;
        V zx = xy * yz - xz * yy, zy = xz * yx - xx * yz, zz = xx * yy - xy * yx;
        /* Shepperd: the largest of four components first, by selection. */
        M m = zz <= 0.0f, n = yy <= xx, o = xx + yy <= 0.0f, minus = (m & n) | (~m & o);
        V size = pick(m, 1.0f - zz, 1.0f + zz), part = pick(m, yy - xx, xx + yy);
        V four = pick(minus, size - part, size + part), t = 0.5f / root_of(four);
        V sxy = xy + yx, sxz = xz + zx, syz = yz + zy, wx = yz - zy, wy = zx - xz, wz = xy - yx;
        V a = pick(m, pick(n, four, sxy), pick(o, sxz, wx)), b = pick(m, pick(n, sxy, four), pick(o, syz, wy));
        V e = pick(m, pick(n, sxz, syz), pick(o, four, wz)), f = pick(m, pick(n, wx, wy), pick(o, wz, four));
        AT(out[0], i) = a * t, AT(out[1], i) = b * t, AT(out[2], i) = e * t, AT(out[3], i) = f * t;
        /* Half the fold, from the sides: nothing is an angle. */
        V sum = l1 + l2, k = 1.0f / (4.0f * l1 * l2);
        V half = (sum * sum - h) * k;
        AT(out[4], i) = root_of(half), AT(out[5], i) = root_of(1.0f - half);
    }
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static double best(void (*kernel)(void)) {
    double least = 1e9;
    for (int k = 0; k < TRIES; k++) {
        double start = seconds();
        for (int j = 0; j < ROUNDS; j++) kernel();
        double took = (seconds() - start) / ((double)ROUNDS * COUNT);
        if (took < least) least = took;
    }
    return 1e9 * least;
}

int main(void) {
    srand(1);
    for (int i = 0; i < COUNT; i++) {
        for (int j = 0; j < 9; j++) in[j][i] = rand() / (float)RAND_MAX - 0.5f;
        for (int j = 3; j < 6; j++) in[j][i] = in[j - 3][i] + 0.25f + 0.3f * in[j][i];
        in[9][i] = 0.6f, in[10][i] = 0.5f;
    }
    double p = best(positions), r = best(rotations), check = 0.0;
    for (int j = 0; j < 6; j++) for (int i = 0; i < COUNT; i++) check += out[j][i];
    printf("floor in C, %2d lanes: positions %.2f ns, rotations %.2f ns a limb (%g)\n", LANES, p, r, check);
    return 0;
}
