// SPDX-License-Identifier: GPL-3.0-or-later

#define _GNU_SOURCE
#include "CHelperShims.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/// Room for one descriptor.
union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
};

ssize_t chelper_send(int socket, const void *bytes, size_t count, int descriptor) {
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    union control control = {0};
    if (descriptor >= 0) {
        control.header = (struct cmsghdr){
            .cmsg_len = CMSG_LEN(sizeof descriptor), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(&control.header), &descriptor, sizeof descriptor);
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

ssize_t chelper_receive(int socket, void *bytes, size_t size, int *descriptor) {
    struct iovec part = {.iov_base = bytes, .iov_len = size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    union control control;
    if (descriptor) {
        *descriptor = -1;
        message.msg_control = &control;
        // CMSG_SPACE would have room for a second one. The kernel closes those for which there is no room.
        message.msg_controllen = CMSG_LEN(sizeof *descriptor);
    }
    ssize_t count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    struct cmsghdr *header = count > 0 && descriptor ? CMSG_FIRSTHDR(&message) : NULL;
    if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) return count;
    memcpy(descriptor, CMSG_DATA(header), sizeof *descriptor);
    if (message.msg_flags & MSG_CTRUNC) {
        close(*descriptor);
        *descriptor = -1;
    }
    return count;
}
