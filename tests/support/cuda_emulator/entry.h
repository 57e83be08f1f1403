/* Last part: what makes a kernel known to the launcher. After the text of the kernels stands
   BB_KERNELS(BB_KERNEL(name, most_threads), ...). */
#pragma once

template <class T> struct bb_letter {
    static constexpr bool is_signed = (T)-1 < (T)0;
    static constexpr char value = (is_signed ? "?bh?i???l" : "?BH?I???L")[sizeof(T)];
};
template <class T> struct bb_letter<T *> {
    static constexpr char value = 'p';
};
template <> struct bb_letter<float> {
    static constexpr char value = 'f';
};
template <> struct bb_letter<double> {
    static constexpr char value = 'd';
};

/* Arguments in braces are taken in their order. */
template <class... P> struct bb_applied {
    __attribute__((no_sanitize("thread"), no_sanitize("address"))) bb_applied(void (*kernel)(P...), P... arguments)
    {
        kernel(arguments...);
    }
};
template <class Kernel> struct bb_entry;
template <class... P> struct bb_entry<void (*)(P...)> {
    static constexpr char signature[] = {bb_letter<P>::value..., 0};
    template <void (*kernel)(P...)>
    __attribute__((no_sanitize("thread"), no_sanitize("address"))) static void call(void **arguments)
    {
        (void)arguments;
        bb_applied<P...>{kernel, *(P *)*arguments++...};
    }
};

#define BB_KERNEL(name, most_threads)                                                                                  \
    {                                                                                                                  \
        #name, bb_entry<decltype(&name)>::signature, bb_entry<decltype(&name)>::call<&name>, most_threads              \
    }
#define BB_KERNELS(...) extern "C" const bb_kernel bb_kernels[] = {__VA_ARGS__, {nullptr, nullptr, nullptr, 0}};
