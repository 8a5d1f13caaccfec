// SPDX-License-Identifier: GPL-3.0-or-later

// The addresses that liblinphone has read. It keeps each one, with its text and its parts, to read it faster another time: the
// last 1,000 in 5.1, and all in 5.3. The contact of a phone has another port after each new connection, and callers can
// have any number of addresses.

#define _GNU_SOURCE
#include "CSIPShims.h"

#include <dlfcn.h>

void sipshims_forget_addresses(void) {
    static void (*forget)(void);
    // LinphonePrivate::Address::clearSipAddressesCache(), which has no name in C but in linphone_factory_clean(), with the
    // factory's settings.
    if (!forget) *(void **)&forget = dlsym(RTLD_DEFAULT, "_ZN15LinphonePrivate7Address22clearSipAddressesCacheEv");
    if (forget) forget();
}
