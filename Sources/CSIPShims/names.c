// SPDX-License-Identifier: GPL-3.0-or-later

// What belle-sip does not look up in DNS (RFC 3263): whether a name exists, and the servers to which NAPTR records lead.

#define _GNU_SOURCE
#include "CSIPShims.h"

#include <arpa/nameser.h>
#include <ctype.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <resolv.h>
#include <string.h>
#include <strings.h>

enum { longest_answer = 4096, most_domains = 16 };

/// Asks for records of a type. Returns the length of the answer, or -1.
static int ask(const char *name, ns_type type, unsigned char answer[longest_answer]) {
    struct __res_state state;
    memset(&state, 0, sizeof state);
    if (res_ninit(&state) != 0) return -1;
    // The user waits for the reason.
    state.retrans = 2;
    state.retry = 1;
    int length = res_nquery(&state, name, ns_c_in, type, answer, longest_answer);
    res_nclose(&state);
    return length > longest_answer ? longest_answer : length;
}

bool sipshims_has_srv(const char *name) {
    unsigned char answer[longest_answer];
    // The header has the number of answers at byte 6.
    return ask(name, ns_t_srv, answer) >= NS_HFIXEDSZ && (answer[6] << 8 | answer[7]) > 0;
}

static unsigned read_number(const unsigned char *data) { return (unsigned)data[0] << 8 | data[1]; }

/// Reads a string of a record (RFC 1035, section 3.3). Returns the byte after it, or NULL.
static const unsigned char *read_string(const unsigned char *data, const unsigned char *end, char text[256]) {
    if (!data || data >= end || data + 1 + *data > end) return NULL;
    memcpy(text, data + 1, *data);
    text[*data] = '\0';
    return data + 1 + *data;
}

/// Returns whether a text is a host name: what a stranger's DNS server says is looked up next.
static bool is_host_name(const char *text) {
    size_t length = strlen(text);
    if (length == 0 || length > sipshims_longest_host || text[0] == '.' || text[0] == '-') return false;
    for (const char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '-' && *c != '.') return false;
    return true;
}

bool sipshims_find_domain(
    const char *name, const char *service, const char *prefix, char domain[sipshims_longest_host + 1]) {
    unsigned char answer[longest_answer];
    int length = ask(name, ns_t_naptr, answer);
    if (length < NS_HFIXEDSZ) return false;
    // One question, and then the answers; glibc's functions for that are in a library of their own.
    const unsigned char *end = answer + length, *next = answer + NS_HFIXEDSZ;
    int skipped = dn_skipname(next, end);
    if (skipped < 0 || end - next < skipped + NS_QFIXEDSZ) return false;
    next += skipped + NS_QFIXEDSZ;
    long best = -1;
    for (unsigned count = read_number(answer + 6); count > 0; count--) {
        skipped = dn_skipname(next, end);
        if (skipped < 0 || end - next < skipped + NS_RRFIXEDSZ) break;
        const unsigned char *fields = next + skipped, *data = fields + NS_RRFIXEDSZ;
        unsigned size = read_number(fields + 8);
        if (end - data < (long)size) break;
        next = data + size;
        if (read_number(fields) != ns_t_naptr || size < 4) continue;
        long order = read_number(data) * 65536l + read_number(data + 2);
        char flags[256], services[256], expression[256], target[NS_MAXDNAME];
        const unsigned char *rest = read_string(data + 4, next, flags);
        rest = read_string(rest, next, services);
        rest = read_string(rest, next, expression);
        if (!rest || strcasecmp(flags, "s") != 0 || strcasecmp(services, service) != 0 || expression[0]) continue;
        if (dn_expand(answer, end, rest, target, sizeof target) < 0) continue;
        size_t start = strlen(prefix);
        if (strncasecmp(target, prefix, start) != 0 || !is_host_name(target + start)) continue;
        if (strcasecmp(target + start, name) == 0 || (best >= 0 && order >= best)) continue;
        best = order;
        strcpy(domain, target + start);
    }
    return best >= 0;
}

struct domain {
    char name[sipshims_longest_host + 1];
    char other[sipshims_longest_host + 1];
    char transport[4];
};

// Only the main thread uses them.
static struct domain domains[most_domains];
static size_t next_domain;

void sipshims_use_domain(const char *name, const char *transport, const char *other) {
    struct domain *domain = NULL;
    for (size_t i = 0; i < most_domains; i++)
        if (strcasecmp(domains[i].name, name) == 0 && strcasecmp(domains[i].transport, transport) == 0)
            domain = &domains[i];
    if (!domain) {
        domain = &domains[next_domain];
        next_domain = (next_domain + 1) % most_domains;
    }
    strncpy(domain->name, name, sizeof domain->name - 1);
    strncpy(domain->other, other, sizeof domain->other - 1);
    strncpy(domain->transport, transport, sizeof domain->transport - 1);
}

struct belle_sip_stack;
struct belle_sip_resolver_context;

// It takes the place of belle-sip's, as the program's own functions do (ld.so(8)).
struct belle_sip_resolver_context *belle_sip_stack_resolve_srv(
    struct belle_sip_stack *stack, const char *service, const char *transport, const char *name, void (*done)(void),
    void *data);

struct belle_sip_resolver_context *belle_sip_stack_resolve_srv(
    struct belle_sip_stack *stack, const char *service, const char *transport, const char *name, void (*done)(void),
    void *data) {
    static struct belle_sip_resolver_context *(*original)(
        struct belle_sip_stack *, const char *, const char *, const char *, void (*)(void), void *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "belle_sip_stack_resolve_srv");
    for (size_t i = 0; service && strcmp(service, "sip") == 0 && i < most_domains; i++)
        if (domains[i].name[0] && strcasecmp(domains[i].name, name) == 0
            && strcasecmp(domains[i].transport, transport) == 0)
            name = domains[i].other;
    return original ? original(stack, service, transport, name, done, data) : NULL;
}
