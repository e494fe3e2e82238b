/* What a limb in a pose costs at the least: as `floor.c`, but with the contract of `sinew_crowd::Crowd`. Rotations of two joints and
 * the pose's root in, forward kinematics of three joints, the turns that take the limb from where it is to where it should be, both
 * rotations out, status, error and passes, and forward kinematics again. Nothing else is looked at. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef float V __attribute__((vector_size(4 * LANES)));
typedef int M __attribute__((vector_size(4 * LANES)));
enum { COUNT = 4096, ROUNDS = 1, TRIES = 1000, IN = 3 + 12 + 8, OUT = 21 + 3 };
typedef struct { V x, y, z; } P;
typedef struct { V x, y, z, w; } Q;

static V root_of(V x) {
    V y;
    for (int i = 0; i < LANES; i++) y[i] = __builtin_sqrtf(x[i]);
    return y;
}
static V pick(M mask, V yes, V no) { return (V)(((M)yes & mask) | ((M)no & ~mask)); }
static P add(P a, P b) { return (P){a.x + b.x, a.y + b.y, a.z + b.z}; }
static P sub(P a, P b) { return (P){a.x - b.x, a.y - b.y, a.z - b.z}; }
static P mul(P a, V s) { return (P){a.x * s, a.y * s, a.z * s}; }
static V dot(P a, P b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static P cross(P a, P b) { return (P){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
static Q times(Q a, Q b) {
    P u = {a.x, a.y, a.z}, v = {b.x, b.y, b.z}, c = cross(u, v);
    return (Q){b.x * a.w + a.x * b.w + c.x, b.y * a.w + a.y * b.w + c.y, b.z * a.w + a.z * b.w + c.z, a.w * b.w - dot(u, v)};
}
static Q back(Q q) { return (Q){-q.x, -q.y, -q.z, q.w}; }
static P turn(Q q, P v) {
    P u = {q.x, q.y, q.z}, t = cross(u, v);
    t = add(t, t);
    return add(add(v, mul(t, q.w)), cross(u, t));
}
static Q unit(Q q) {
    V s = 1.5f - 0.5f * (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (Q){q.x * s, q.y * s, q.z * s, q.w * s};
}
/* Shepperd: the largest of four components first, by selection. */
static Q axes(P x, P y, P z) {
    M m = z.z <= 0.0f, n = y.y <= x.x, o = x.x + y.y <= 0.0f, minus = (m & n) | (~m & o);
    V size = pick(m, 1.0f - z.z, 1.0f + z.z), part = pick(m, y.y - x.x, x.x + y.y);
    V four = pick(minus, size - part, size + part), t = 0.5f / root_of(four);
    V xy = x.y + y.x, xz = x.z + z.x, yz = y.z + z.y, wx = y.z - z.y, wy = z.x - x.z, wz = x.y - y.x;
    return (Q){pick(m, pick(n, four, xy), pick(o, xz, wx)) * t, pick(m, pick(n, xy, four), pick(o, yz, wy)) * t,
               pick(m, pick(n, xz, yz), pick(o, four, wz)) * t, pick(m, pick(n, wx, wy), pick(o, wz, four)) * t};
}

/* A tile of sixteen characters has its numbers in lines of their own, one line after another. */
enum { TILE = 16, TILES = COUNT / TILE };
static float in[TILES][IN][TILE] __attribute__((aligned(64))), out[TILES][OUT][TILE] __attribute__((aligned(64)));

#define LOAD(lines, k) (*(V *)&(lines)[k][at])
#define P3(lines, k) ((P){LOAD(lines, k), LOAD(lines, k + 1), LOAD(lines, k + 2)})
#define Q4(lines, k) ((Q){LOAD(lines, k), LOAD(lines, k + 1), LOAD(lines, k + 2), LOAD(lines, k + 3)})
#define PUT3(lines, k, p) (LOAD(lines, k) = (p).x, LOAD(lines, k + 1) = (p).y, LOAD(lines, k + 2) = (p).z)
#define PUT4(lines, k, q) (PUT3(lines, k, q), LOAD(lines, k + 3) = (q).w)

/* Lines in: place of the root, three rotations, target, pole, weight, kind of pole. Out: three models, three results. */
static inline __attribute__((always_inline)) void forward(int tile, int at) {
    float (*i)[TILE] = in[tile], (*o)[TILE] = out[tile];
    V zero = {0.0f};
    P first = {zero, zero + 0.6f, zero}, second = {zero, zero + 0.5f, zero}, place = P3(i, 0);
    Q model = Q4(i, 3);
    PUT4(o, 0, model), PUT3(o, 4, place);
    place = add(place, turn(model, first)), model = times(model, Q4(i, 7));
    PUT4(o, 7, model), PUT3(o, 11, place);
    place = add(place, turn(model, second)), model = times(model, Q4(i, 11));
    PUT4(o, 14, model), PUT3(o, 18, place);
}

static inline __attribute__((always_inline)) void limb(int tile, int at) {
    float (*i)[TILE] = in[tile], (*o)[TILE] = out[tile];
    P root = P3(o, 4), mid = P3(o, 11), a = sub(mid, root), c = sub(P3(o, 18), mid);
    P p = sub(P3(i, 15), root), pole = P3(i, 18);
    V aa = dot(a, a), cc = dot(c, c), l1 = root_of(aa), l2 = root_of(cc), r1 = 1.0f / l1, h = dot(p, p), d = root_of(h), r = 1.0f / d;
    P line = mul(p, r), bend = sub(pole, mul(line, dot(pole, line)));
    bend = mul(bend, 1.0f / root_of(dot(bend, bend)));
    V along = 0.5f * (h + (l1 - l2) * (l1 + l2)) * r, aside = root_of(l1 * l1 - along * along);
    P n = cross(a, c);
    V own = root_of(dot(n, n)), scale = r1 / l2;
    n = mul(n, 1.0f / own);
    P u = mul(a, r1), w = mul(add(mul(line, along), mul(bend, aside)), r1), m = cross(bend, line), z0 = cross(u, n), z1 = cross(w, m);
    P x = add(add(mul(w, u.x), mul(m, n.x)), mul(z1, z0.x)), y = add(add(mul(w, u.y), mul(m, n.y)), mul(z1, z0.y));
    Q swing = axes(x, y, add(add(mul(w, u.z), mul(m, n.z)), mul(z1, z0.z)));
    V rest = d - along, c0 = dot(a, c) * scale, s0 = own * scale, c1 = (along * rest - aside * aside) * scale, s1 = aside * d * scale;
    V co = c1 * c0 + s1 * s0, si = s1 * c0 - c1 * s0;
    /* Half of it, without cancelling on either side. */
    M blunt = co < 0.0f, left = si < 0.0f;
    V size = pick(blunt, -co, co), big = root_of((1.0f + size) * 0.5f), small = pick(left, -si, si) * 0.5f / big;
    V sine = pick(blunt, big, small), cosine = pick(blunt, small, big);
    sine = pick(left, -sine, sine);
    Q fold = {n.x * sine, n.y * sine, n.z * sine, cosine}, model = Q4(o, 0);
    PUT4(i, 3, unit(times(swing, model)));
    PUT4(i, 7, unit(times(back(model), times(fold, Q4(o, 7)))));
    P left_over = sub(mul(line, d), p);
    LOAD(o, 21) = h - h, LOAD(o, 22) = root_of(dot(left_over, left_over)), LOAD(o, 23) = LOAD(i, 21);
}

__attribute__((noinline)) static void solve(void) {
    for (int tile = 0; tile < TILES; tile++)
        for (int at = 0; at < TILE; at += LANES) forward(tile, at), limb(tile, at), forward(tile, at);
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(void) {
    srand(1);
    for (int t = 0; t < TILES; t++)
        for (int j = 0; j < TILE; j++) {
            for (int k = 0; k < IN; k++) in[t][k][j] = 0.0f;
            for (int k = 0; k < 3; k++) in[t][15 + k][j] = (float[]){0.0f, 0.5f, 0.2f}[k] + 0.3f * (rand() / (float)RAND_MAX);
            in[t][20][j] = 1.0f, in[t][21][j] = 1.0f;
            in[t][6][j] = in[t][14][j] = 1.0f, in[t][7][j] = 0.6f, in[t][10][j] = 0.8f;
        }
    double least = 1e9;
    for (int k = 0; k < TRIES; k++) {
        double start = seconds();
        for (int j = 0; j < ROUNDS; j++) solve();
        double took = (seconds() - start) / ((double)ROUNDS * COUNT);
        if (took < least) least = took;
    }
    double worst = 0.0;
    for (int t = 0; t < TILES; t++)
        for (int j = 0; j < TILE; j++)
            for (int k = 0; k < 3; k++) {
                double off = out[t][18 + k][j] - in[t][15 + k][j];
                if (off * off > worst) worst = off * off;
            }
    printf("floor in C, %2d lanes: a limb in a pose, with forward kinematics %.2f ns (off by %.1e)\n", LANES, 1e9 * least, worst);
    return 0;
}
