/* What a chain without limits costs at the least, a bone: as `floor.c`, but with the contract of `sinew_crowd`'s passes. A sweep of FABRIK back
 * and forth that gathers what a Newton step needs (two square roots and divisions a bone), and the Newton step of all bones' directions
 * (one of each). Ten bones, in the lines of a tile; nobody waits for anybody, nothing is looked at. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <time.h>
typedef float V __attribute__((vector_size(4 * LANES)));
typedef int M __attribute__((vector_size(4 * LANES)));
enum { COUNT = 4096, BONES = 10, TILE = 16, TILES = COUNT / TILE, TRIES = 200, GROUPS = LANES < 16 ? 4 : 2 };
typedef struct { V x, y, z; } P;
static inline V root_of(V x) { V y; for (int i = 0; i < LANES; i++) y[i] = __builtin_sqrtf(x[i]); return y; }
static inline P add(P a, P b) { return (P){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline P sub(P a, P b) { return (P){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline P mul(P a, V s) { return (P){a.x * s, a.y * s, a.z * s}; }
static inline V dot(P a, P b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static float model[TILES][(BONES + 1) * 7][TILE] __attribute__((aligned(64)));
static float length[BONES];
static float chains0[TILES][(BONES + 1) * 7][TILE] __attribute__((aligned(64)));
#define LOAD(lines, k) (*(V *)&(lines)[k][at])
#define P3(lines, k) ((P){LOAD(lines, k), LOAD(lines, k + 1), LOAD(lines, k + 2)})
#define PUT3(lines, k, p) (LOAD(lines, k) = (p).x, LOAD(lines, k + 1) = (p).y, LOAD(lines, k + 2) = (p).z)
#define EACH for (int g = 0; g < GROUPS; g++)
#define INLINE static inline __attribute__((always_inline))
#define AT(g) ((LANES * (g) + at0) % TILE)
#define MODEL(g) (m + (BONES + 1) * 7 * ((LANES * (g) + at0) / TILE))
typedef struct { V t[6]; P tip; } S;
INLINE void sum(S *s, P u, V L) {
    P v = mul(u, L); V *t = s->t;
    t[0] -= v.x * u.x, t[1] -= v.y * u.y, t[2] -= v.z * u.z;
    t[3] -= v.x * u.y, t[4] -= v.x * u.z, t[5] -= v.y * u.z;
    s->tip = add(s->tip, v);
}
/* Times a length over that of a line. */
INLINE P stretched(P line, float length) { return mul(line, length / root_of(dot(line, line) + 1e-30f)); }
INLINE void sweep(float (*m)[TILE], int at0, P *target, S *s) {
    P at_[GROUPS];
    V z = {};
    EACH at_[g] = target[g];
    for (int b = BONES - 1; b >= 1; b--) EACH {
        float (*l)[TILE] = MODEL(g); int at = AT(g);
        P line = sub(P3(l, 7 * b + 4), at_[g]);
        at_[g] = add(at_[g], stretched(line, length[b]));
        PUT3(l, 7 * b + 4, at_[g]);
    }
    EACH { float (*l)[TILE] = MODEL(g); int at = AT(g); s[g].tip = P3(l, 4); for (int k = 0; k < 6; k++) s[g].t[k] = z; }
    for (int b = 0; b < BONES; b++) EACH {
        float (*l)[TILE] = MODEL(g); int at = AT(g);
        P to = b + 1 < BONES ? P3(l, 7 * b + 11) : target[g];
        P u = stretched(sub(to, s[g].tip), 1.0f);
        sum(&s[g], u, z + length[b]);
        PUT3(l, 7 * b, u);
    }
}
INLINE void closing(float (*m)[TILE], int at0, P *target, S *s) {
    P push[GROUPS]; V z = {};
    EACH {
        P e = sub(target[g], s[g].tip); V *t = s[g].t;
        V total = z; for (int b = 0; b < BONES; b++) total += length[b];
        V damp = (3.0f * total + t[0] + t[1] + t[2]) * 1e-5f + total, xx = t[0] + damp, yy = t[1] + damp, zz = t[2] + damp, xy = t[3], xz = t[4], yz = t[5];
        V a = yy * zz - yz * yz, b = xz * yz - xy * zz, c = xy * yz - xz * yy, d = xx * zz - xz * xz, ee = xy * xz - xx * yz, f = xx * yy - xy * xy;
        V det = 1.0f / (xx * a + xy * b + xz * c);
        push[g] = mul((P){a * e.x + b * e.y + c * e.z, b * e.x + d * e.y + ee * e.z, c * e.x + ee * e.y + f * e.z}, det);
        float (*l)[TILE] = MODEL(g); int at = AT(g); s[g].tip = P3(l, 4); for (int k = 0; k < 6; k++) s[g].t[k] = z;
    }
    for (int b = 0; b < BONES; b++) EACH {
        float (*l)[TILE] = MODEL(g); int at = AT(g);
        P u = P3(l, 7 * b), p = push[g];
        u = stretched(sub(add(u, p), mul(u, dot(p, u))), 1.0f);
        sum(&s[g], u, z + length[b]);
        PUT3(l, 7 * b, u);
    }
}
__attribute__((noinline)) static void solve(int sweeps, int closings) {
    for (int k = 0; k < COUNT / LANES / GROUPS; k++) {
        float (*m)[TILE] = model[(k * GROUPS * LANES) / TILE]; int at0 = (k * GROUPS * LANES) % TILE;
        P target[GROUPS]; S s[GROUPS];
        EACH { float (*l)[TILE] = MODEL(g); int at = AT(g); target[g] = P3(l, 7 * BONES + 4); }
        for (int p = 0; p < sweeps; p++) sweep(m, at0, target, s);
        for (int p = 0; p < closings; p++) closing(m, at0, target, s);
        EACH { float (*l)[TILE] = MODEL(g); int at = AT(g); PUT3(l, 7 * BONES, s[g].tip); }
    }
}
static double seconds(void) { struct timespec t; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
static double timed(int sweeps, int closings) {
    double least = 1e9;
    for (int k = 0; k < TRIES; k++) {
        memcpy(model, chains0, sizeof model);
        double s = seconds(); solve(sweeps, closings); double took = (seconds() - s) / ((double)COUNT * BONES);
        if (took < least) least = took;
    }
    return 1e9 * least;
}
int main(void) {
    srand(1);
    for (int b = 0; b < BONES; b++) length[b] = 0.1f;
    for (int t = 0; t < TILES; t++) for (int j = 0; j < TILE; j++) {
        float x = 0, y = 0, a = 0;
        for (int b = 0; b <= BONES; b++) { chains0[t][7*b+4][j] = x, chains0[t][7*b+5][j] = y; a += .2f; x += .1f * cosf(a); y += .1f * sinf(a); }
        for (int k = 0; k < 3; k++) chains0[t][7 * BONES + 4 + k][j] = 1.0f * (rand() / (float)RAND_MAX - .5f);
    }
    double one = timed(1, 0), five = timed(1, 4), worst = 0.0;
    for (int t = 0; t < TILES; t++)
        for (int j = 0; j < TILE; j++)
            for (int k = 0; k < 3; k++) {
                double x = model[t][7 * BONES + k][j] - model[t][7 * BONES + 4 + k][j];
                if (x * x > worst) worst = x * x;
            }
    printf("floor in C, %2d lanes: a chain, a bone: sweep back and forth %.2f ns, Newton step %.2f ns (off by %.1e)\n", LANES, one, (five - one) / 4, sqrt(worst));
    return 0;
}
