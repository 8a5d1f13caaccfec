// SPDX-License-Identifier: GPL-3.0-or-later

#include "CSIPShims.h"

#include <arpa/inet.h>
#include <linux/filter.h>
#include <string.h>
#include <sys/socket.h>

enum { most_addresses = 64 };

#define ACCEPT BPF_STMT(BPF_RET | BPF_K, 0xffffffff)
#define DROP BPF_STMT(BPF_RET | BPF_K, 0)
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(offset))
#define SKIP_UNLESS_EQUAL(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (count))

static void append(struct sock_filter *program, unsigned short *length, struct sock_filter instruction) {
    program[(*length)++] = instruction;
}

bool sipshims_accept_requests_from(int socket, const struct in6_addr *addresses, size_t count, uint16_t endpoint) {
    // At most 9 instructions for an address, and 14 others.
    struct sock_filter program[14 + 9 * most_addresses];
    unsigned short length = 0;
    if (count > most_addresses) count = most_addresses;
    // The filter sees the datagram from its UDP header on, of 8 bytes. A load outside of it drops the datagram.
    append(program, &length, (struct sock_filter)LOAD(8));
    append(program, &length, (struct sock_filter)SKIP_UNLESS_EQUAL(0x5349502fu, 3));  // "SIP/"
    append(program, &length, (struct sock_filter)LOAD(12));
    append(program, &length, (struct sock_filter)SKIP_UNLESS_EQUAL(0x322e3020u, 1));  // "2.0 "
    append(program, &length, (struct sock_filter)ACCEPT);
    if (endpoint != 0) {
        // The source port, and 127.0.0.1.
        append(program, &length, (struct sock_filter)BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 0));
        append(program, &length, (struct sock_filter)SKIP_UNLESS_EQUAL(endpoint, 6));
        append(program, &length, (struct sock_filter)BPF_STMT(
            BPF_LD | BPF_B | BPF_ABS, (uint32_t)SKF_NET_OFF));
        append(program, &length, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_RSH | BPF_K, 4));
        append(program, &length, (struct sock_filter)SKIP_UNLESS_EQUAL(4, 3));
        append(program, &length, (struct sock_filter)LOAD(SKF_NET_OFF + 12));
        append(program, &length, (struct sock_filter)SKIP_UNLESS_EQUAL(INADDR_LOOPBACK, 1));
        append(program, &length, (struct sock_filter)ACCEPT);
    }
    for (size_t i = 0; i < count; i++) {
        const struct in6_addr *address = &addresses[i];
        uint32_t words[4];
        memcpy(words, address, sizeof words);
        bool mapped = IN6_IS_ADDR_V4MAPPED(address);
        append(program, &length, (struct sock_filter)BPF_STMT(
            BPF_LD | BPF_B | BPF_ABS, (uint32_t)SKF_NET_OFF));
        append(program, &length, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_RSH | BPF_K, 4));
        if (mapped) {
            append(program, &length, (struct sock_filter)SKIP_UNLESS_EQUAL(4, 3));
            append(program, &length, (struct sock_filter)LOAD(SKF_NET_OFF + 12));
            append(program, &length, (struct sock_filter)SKIP_UNLESS_EQUAL(ntohl(words[3]), 1));
            append(program, &length, (struct sock_filter)ACCEPT);
        } else {
            // The two upper words: the rest of the address belongs to the same network.
            append(program, &length, (struct sock_filter)SKIP_UNLESS_EQUAL(6, 5));
            append(program, &length, (struct sock_filter)LOAD(SKF_NET_OFF + 8));
            append(program, &length, (struct sock_filter)SKIP_UNLESS_EQUAL(ntohl(words[0]), 3));
            append(program, &length, (struct sock_filter)LOAD(SKF_NET_OFF + 12));
            append(program, &length, (struct sock_filter)SKIP_UNLESS_EQUAL(ntohl(words[1]), 1));
            append(program, &length, (struct sock_filter)ACCEPT);
        }
    }
    append(program, &length, (struct sock_filter)DROP);
    struct sock_fprog filter = {.len = length, .filter = program};
    return setsockopt(socket, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) == 0;
}

void sipshims_accept_all_requests(int socket) {
    int unused = 0;
    setsockopt(socket, SOL_SOCKET, SO_DETACH_FILTER, &unused, sizeof unused);
}
