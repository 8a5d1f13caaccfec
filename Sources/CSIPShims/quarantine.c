// SPDX-License-Identifier: GPL-3.0-or-later

// The message that is being handled, noted for the phone in case the process does not survive it, and the messages of which
// earlier processes have died.

#define _GNU_SOURCE
#include "CSIPShims.h"
#include "messages.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

// The time for which a message is refused: by then, its sender may have another program.
enum { most_refused = 64, longest_refusal = 3600 };

static int note_file = -1;
static int64_t refused[most_refused];
static size_t refused_count;
static time_t refused_until;
static bool has_note;

static time_t seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return now.tv_sec;
}

void sipshims_note_messages(int file) { note_file = file; }

void sipshims_refuse_messages(const int64_t *prints, size_t count) {
    refused_count = count < most_refused ? count : most_refused;
    memcpy(refused, prints, refused_count * sizeof *refused);
    refused_until = seconds() + longest_refusal;
}

static void write_note(int64_t print) {
    if (note_file < 0) return;
    has_note = print != 0;
    // Without its note, the message is only not refused later.
    if (pwrite(note_file, &print, sizeof print, 0) < 0) has_note = false;
}

/// Adds bytes to a fingerprint (FNV-1a).
static void add(uint64_t *print, const void *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) *print = (*print ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3;
}

/// Adds a line of a request, without what differs each time that the same one is sent.
static bool add_line(const char *line, size_t length, void *context) {
    if (sipshims_is_field(line, length, "Via", 'v') || sipshims_is_field(line, length, "Call-ID", 'i')
        || sipshims_is_field(line, length, "CSeq", 0) || sipshims_is_field(line, length, "Contact", 'm')
        || sipshims_is_field(line, length, "Content-Length", 'l'))
        return true;
    bool is_party = sipshims_is_field(line, length, "From", 'f') || sipshims_is_field(line, length, "To", 't');
    const char *tag = is_party ? memmem(line, length, ";tag=", 5) : NULL;
    add(context, line, tag ? (size_t)(tag - line) : length);
    return true;
}

/// Returns the fingerprint of a message of a sender: positive and of 53 bits, since it is sent in JSON. That of a response is its
/// own, because a line would stay dead without the next one like it.
static int64_t fingerprint(const char *header, size_t length, const struct in6_addr *sender) {
    uint64_t print = 0xcbf29ce484222325;
    add(&print, sender, sizeof *sender);
    const char *method_end = memchr(header, ' ', length);
    bool is_response = length > 4 && strncmp(header, "SIP/", 4) == 0;
    if (is_response || !method_end) {
        add(&print, header, length);
    } else {
        // The target has the port of this process.
        add(&print, header, (size_t)(method_end - header));
        sipshims_each_line(header, length, add_line, &print);
    }
    return (int64_t)(print >> 11) | 1;
}

bool sipshims_begin_message(const char *header, size_t length, const struct in6_addr *sender) {
    int64_t print = fingerprint(header, length, sender);
    if (refused_count > 0 && seconds() < refused_until)
        for (size_t i = 0; i < refused_count; i++)
            if (refused[i] == print) return false;
    write_note(print);
#ifdef DEBUG
    // No message is known that ends the process, so the tests choose one.
    const char *deadly = getenv("TOUCHTONE_SIP_DEADLY");
    if (deadly && *deadly && memmem(header, length, deadly, strlen(deadly))) _exit(70);
#endif
    return true;
}

void sipshims_end_messages(void) {
    if (has_note) write_note(0);
}
