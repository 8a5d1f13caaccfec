// SPDX-License-Identifier: GPL-3.0-or-later

// The times of session timers (RFC 4028) that far ends choose. liblinphone takes them as they are: zero makes it send
// refreshes without a pause, and a refusal without a time makes it crash. Its calls of two functions of belle-sip end up
// here: the program's own functions take precedence over a library's (ld.so(8)).

#define _GNU_SOURCE
#include "CSIPShims.h"
#include "libraries.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <strings.h>

// In seconds. The least one is that of RFC 4028, section 4.
enum { shortest = 90, longest = 86400 };

// liblinphone exports it, but declares it in a private header.
void linphone_core_set_enable_sip_update(const struct _LinphoneCore *core, int value);

// The tests link this target without liblinphone.
USES(linphone_core_set_enable_sip_update);

void sipshims_refresh_by_invite(struct _LinphoneCore *core) { linphone_core_set_enable_sip_update(core, 0); }

struct belle_sip_header_session_expires;

int belle_sip_header_session_expires_get_delta(const struct belle_sip_header_session_expires *field);

int belle_sip_header_session_expires_get_delta(const struct belle_sip_header_session_expires *field) {
    static int (*original)(const struct belle_sip_header_session_expires *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "belle_sip_header_session_expires_get_delta");
    int time = original ? original(field) : shortest;
    return time < shortest ? shortest : time > longest ? longest : time;
}

struct _belle_sip_header;

const char *belle_sip_header_get_unparsed_value(struct _belle_sip_header *field);
const char *belle_sip_header_get_name(const struct _belle_sip_header *field);

// The tests link this target without belle-sip.
USES(belle_sip_header_get_name);

const char *belle_sip_header_get_unparsed_value(struct _belle_sip_header *field) {
    static const char *(*original)(struct _belle_sip_header *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "belle_sip_header_get_unparsed_value");
    // Only a missing `Min-SE` is not checked.
    if (!field || !original) return "90";
    const char *value = original(field), *name = belle_sip_header_get_name(field);
    if (!value || !name || strcasecmp(name, "Min-SE") != 0) return value;
    long time = strtol(value, NULL, 10);
    return time < shortest ? "90" : time > longest ? "86400" : value;
}
