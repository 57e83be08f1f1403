/* Fourth part: functions of numbers. None is contracted or approximated, but those whose name says so. */
#pragma once
#pragma GCC visibility push(default)
extern "C" {
#define EMU_LIBM1(name)                                                                                                \
    double name(double);                                                                                               \
    float name##f(float);
#define EMU_LIBM2(name)                                                                                                \
    double name(double, double);                                                                                       \
    float name##f(float, float);
EMU_LIBM1(sqrt)
EMU_LIBM1(fabs)
EMU_LIBM1(exp)
EMU_LIBM1(exp2)
EMU_LIBM1(log)
EMU_LIBM1(log2)
EMU_LIBM1(log10)
EMU_LIBM1(log1p)
EMU_LIBM1(floor)
EMU_LIBM1(ceil)
EMU_LIBM1(trunc)
EMU_LIBM1(rint)
EMU_LIBM1(logb)
EMU_LIBM2(fmax)
EMU_LIBM2(fmin)
EMU_LIBM2(fmod)
EMU_LIBM2(hypot)
EMU_LIBM2(copysign)
EMU_LIBM2(pow)
double fma(double, double, double);
float fmaf(float, float, float);
double ldexp(double, int);
float ldexpf(float, int);
double frexp(double, int *);
float frexpf(float, int *);
double scalbn(double, int);
float scalbnf(float, int);
int ilogb(double);
int ilogbf(float);
int abs(int);
}
#pragma GCC visibility pop

#define EMU_OVERLOAD1(name)                                                                                            \
    static inline float name(float x)                                                                                  \
    {                                                                                                                  \
        return __builtin_##name##f(x);                                                                                 \
    }
#define EMU_OVERLOAD2(name, type)                                                                                      \
    static inline float name(float x, type y)                                                                          \
    {                                                                                                                  \
        return __builtin_##name##f(x, y);                                                                              \
    }
EMU_OVERLOAD1(sqrt)
EMU_OVERLOAD1(fabs)
EMU_OVERLOAD1(exp)
EMU_OVERLOAD1(log)
EMU_OVERLOAD1(floor)
EMU_OVERLOAD1(logb)
EMU_OVERLOAD2(fmax, float)
EMU_OVERLOAD2(fmin, float)
EMU_OVERLOAD2(hypot, float)
EMU_OVERLOAD2(copysign, float)
EMU_OVERLOAD2(ldexp, int)
EMU_OVERLOAD2(scalbn, int)
EMU_OVERLOAD2(frexp, int *)
static inline float fma(float x, float y, float z)
{
    return __builtin_fmaf(x, y, z);
}

#define EMU_QUESTION(name)                                                                                             \
    static inline bool name(double x)                                                                                  \
    {                                                                                                                  \
        return __builtin_##name(x);                                                                                    \
    }
EMU_QUESTION(isnan)
EMU_QUESTION(isinf)
EMU_QUESTION(isfinite)
EMU_QUESTION(signbit)

template <class T> static constexpr T min(T x, T y)
{
    return y < x ? y : x;
}
template <class T> static constexpr T max(T x, T y)
{
    return x < y ? y : x;
}

/* Correctly rounded, and kept apart from one another. */
#define EMU_ROUNDED(prefix, type, suffix, root, fused)                                                                 \
    static inline type __##prefix##add_##suffix(type x, type y)                                                        \
    {                                                                                                                  \
        return x + y;                                                                                                  \
    }                                                                                                                  \
    static inline type __##prefix##sub_##suffix(type x, type y)                                                        \
    {                                                                                                                  \
        return x - y;                                                                                                  \
    }                                                                                                                  \
    static inline type __##prefix##mul_##suffix(type x, type y)                                                        \
    {                                                                                                                  \
        return x * y;                                                                                                  \
    }                                                                                                                  \
    static inline type __##prefix##div_##suffix(type x, type y)                                                        \
    {                                                                                                                  \
        return x / y;                                                                                                  \
    }                                                                                                                  \
    static inline type __##prefix##rcp_##suffix(type x)                                                                \
    {                                                                                                                  \
        return 1 / x;                                                                                                  \
    }                                                                                                                  \
    static inline type __##prefix##sqrt_##suffix(type x)                                                               \
    {                                                                                                                  \
        return root(x);                                                                                                \
    }                                                                                                                  \
    static inline type fused##_##suffix(type x, type y, type z)                                                        \
    {                                                                                                                  \
        return fma(x, y, z);                                                                                           \
    }
EMU_ROUNDED(d, double, rn, __builtin_sqrt, __fma)
EMU_ROUNDED(f, float, rn, __builtin_sqrtf, __fmaf)

/* Within an ulp or two on a GPU. */
static inline double rsqrt(double x)
{
    return 1 / __builtin_sqrt(x);
}
static inline float rsqrtf(float x)
{
    return (float)(1 / __builtin_sqrt((double)x));
}
static inline float rsqrt(float x)
{
    return rsqrtf(x);
}
static inline float __frsqrt_rn(float x)
{
    return rsqrtf(x);
}

template <class To, class From> static inline To emu_bits(From from)
{
    static_assert(sizeof(To) == sizeof(From), "the same bytes");
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}
#define EMU_REINTERPRET(name, to, from)                                                                                \
    static inline to name(from x)                                                                                      \
    {                                                                                                                  \
        return emu_bits<to>(x);                                                                                        \
    }
EMU_REINTERPRET(__int_as_float, float, int)
EMU_REINTERPRET(__float_as_int, int, float)
EMU_REINTERPRET(__uint_as_float, float, unsigned)
EMU_REINTERPRET(__float_as_uint, unsigned, float)
EMU_REINTERPRET(__longlong_as_double, double, long long)
EMU_REINTERPRET(__double_as_longlong, long long, double)
static inline int __double2hiint(double x)
{
    return (int)(emu_bits<emu_word>(x) >> 32);
}
static inline int __double2loint(double x)
{
    return (int)emu_bits<emu_word>(x);
}
static inline double __hiloint2double(int high, int low)
{
    return emu_bits<double>((emu_word)(unsigned)high << 32 | (unsigned)low);
}

static inline int __ffs(int x)
{
    return __builtin_ffs(x);
}
static inline int __clz(int x)
{
    return x ? __builtin_clz((unsigned)x) : 32;
}
static inline int __popc(unsigned x)
{
    return __builtin_popcount(x);
}
static inline unsigned __brev(unsigned x)
{
    unsigned reversed = 0;
    for (int bit = 0; bit < 32; bit++)
        reversed |= (x >> bit & 1) << (31 - bit);
    return reversed;
}

/* rsqrt.approx.ftz.f64 and rcp.approx.ftz.f64 see the high word of their argument alone, give that of the result, and
   take subnormal numbers for zeros. Those for float are good to about 22 bits. */
static inline double emu_high_word(double x)
{
    return x - x == 0 ? emu_bits<double>(emu_bits<emu_word>(x) & ~(emu_word)0xffffffffu) : x;
}
static inline double emu_flushed(double x)
{
    return __builtin_fabs(x) < 0x1p-1022 ? x * 0 : x;
}
static inline double emulated_rsqrt(double x)
{
    return emu_high_word(1 / __builtin_sqrt(emu_flushed(emu_high_word(x))));
}
static inline double emulated_rcp(double x)
{
    return emu_flushed(emu_high_word(1 / emu_flushed(emu_high_word(x))));
}
static inline float emulated_rsqrt(float x)
{
    return (float)(1 / __builtin_sqrt((double)x) * (1 + 0x1.8p-23));
}
static inline float emulated_rcp(float x)
{
    return (float)(1 / (double)x * (1 + 0x1.8p-23));
}
template <class T> static inline T bb_rsqrt_approx(T x)
{
    return emulated_rsqrt(x);
}
template <class T> static inline T bb_rcp_approx(T x)
{
    return emulated_rcp(x);
}
