// SPDX-License-Identifier: GPL-3.0-or-later

// The functions of other libraries that this target uses. It is not linked with them, because the tests use it without.

#ifndef SIPSHIMS_LIBRARIES_H
#define SIPSHIMS_LIBRARIES_H

/// A function that is used.
struct sipshims_use {
    const char *name;
    /// NULL if no library has it.
    const void *function;
};

/// Says that a file uses a function that it has declared. Some are private to their library, and a newer one may not have
/// them any more: a call would end the engine. `sipshims_missing_function` finds them all.
#define USES(name)                                                                             \
    extern __typeof__(name) name __attribute__((weak));                                        \
    static const struct sipshims_use use_of_##name __attribute__((used, section("sipshims_uses"))) = { \
        #name, (const void *)name}

#endif
