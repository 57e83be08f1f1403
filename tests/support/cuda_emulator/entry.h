/* Last part: what makes a kernel known to the launcher. After the text of the kernels stands
   EMU_KERNELS(EMU_KERNEL(name, most_threads) ...). */
#pragma once

template <class T> struct emu_letter {
    static constexpr bool is_signed = (T)-1 < (T)0;
    static constexpr char value = (is_signed ? "?bh?i???l" : "?BH?I???L")[sizeof(T)];
};
template <class T> struct emu_letter<T *> {
    static constexpr char value = 'p';
};
template <> struct emu_letter<float> {
    static constexpr char value = 'f';
};
template <> struct emu_letter<double> {
    static constexpr char value = 'd';
};

/* Arguments in braces are taken in their order. */
template <class... P> struct emu_applied {
    __attribute__((no_sanitize("thread"), no_sanitize("address"))) emu_applied(void (*kernel)(P...), P... arguments)
    {
        kernel(arguments...);
    }
};
template <class Kernel> struct emu_entry;
template <class... P> struct emu_entry<void (*)(P...)> {
    static constexpr char signature[] = {emu_letter<P>::value..., 0};
    template <void (*kernel)(P...)>
    __attribute__((no_sanitize("thread"), no_sanitize("address"))) static void call(void **arguments)
    {
        (void)arguments;
        emu_applied<P...>{kernel, *(P *)*arguments++...};
    }
};

#define EMU_KERNEL(name, most_threads)                                                                                 \
    {#name, emu_entry<decltype(&name)>::signature, emu_entry<decltype(&name)>::call<&name>, most_threads},
#define EMU_KERNELS(...) extern "C" const emu_kernel emu_kernels[] = {__VA_ARGS__{nullptr, nullptr, nullptr, 0}};
