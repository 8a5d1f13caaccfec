// SPDX-License-Identifier: GPL-3.0-or-later

// The certificate for DTLS. liblinphone would compute one with RSA, for up to a second, while a call waits.

#define _GNU_SOURCE
#include "CSIPShims.h"

#include <fcntl.h>
#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/// The name by which liblinphone finds its certificate.
#define NAME "linphone-dtls-default-identity"

/// Seconds. The far end compares the fingerprint alone; clocks may differ by a day.
enum { clock_difference = 24 * 3600, validity = 365 * 24 * 3600 };

static int fill(gnutls_x509_crt_t certificate, gnutls_x509_privkey_t key) {
    uint8_t serial[16];
    time_t now = time(NULL);
    int result = gnutls_x509_privkey_generate(key, GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0);
    if (result >= 0) result = gnutls_rnd(GNUTLS_RND_NONCE, serial, sizeof serial);
    // A serial number is positive and has no zero in front (RFC 5280, section 4.1.2.2).
    serial[0] = (serial[0] & 0x7f) | 1;
    if (result >= 0) result = gnutls_x509_crt_set_version(certificate, 3);
    if (result >= 0) result = gnutls_x509_crt_set_serial(certificate, serial, sizeof serial);
    if (result >= 0)
        result = gnutls_x509_crt_set_dn_by_oid(certificate, GNUTLS_OID_X520_COMMON_NAME, 0, NAME, sizeof NAME - 1);
    if (result >= 0) result = gnutls_x509_crt_set_activation_time(certificate, now - clock_difference);
    if (result >= 0) result = gnutls_x509_crt_set_expiration_time(certificate, now + validity);
    if (result >= 0) result = gnutls_x509_crt_set_key(certificate, key);
    if (result >= 0) result = gnutls_x509_crt_sign2(certificate, certificate, key, GNUTLS_DIG_SHA256, 0);
    return result;
}

static bool write_all(const char *path, const gnutls_datum_t *parts, size_t count) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
    if (file < 0) return false;
    bool is_written = true;
    for (size_t index = 0; index < count; index++)
        is_written &= write(file, parts[index].data, parts[index].size) == (ssize_t)parts[index].size;
    return close(file) == 0 && is_written;
}

bool sipshims_make_certificate(const char *folder) {
    char path[PATH_MAX], draft[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/" NAME ".pem", folder) >= (int)sizeof path
        || snprintf(draft, sizeof draft, "%s/." NAME, folder) >= (int)sizeof draft)
        return false;
    if (access(path, R_OK) == 0) return true;
    gnutls_x509_crt_t certificate = NULL;
    gnutls_x509_privkey_t key = NULL;
    gnutls_datum_t parts[2] = {{NULL, 0}, {NULL, 0}};
    bool is_made = gnutls_x509_crt_init(&certificate) >= 0 && gnutls_x509_privkey_init(&key) >= 0
        && fill(certificate, key) >= 0 && gnutls_x509_crt_export2(certificate, GNUTLS_X509_FMT_PEM, &parts[0]) >= 0
        && gnutls_x509_privkey_export2_pkcs8(key, GNUTLS_X509_FMT_PEM, NULL, GNUTLS_PKCS_PLAIN, &parts[1]) >= 0
        && write_all(draft, parts, 2) && rename(draft, path) == 0;
    if (parts[1].data) gnutls_memset(parts[1].data, 0, parts[1].size);
    gnutls_free(parts[0].data);
    gnutls_free(parts[1].data);
    if (key) gnutls_x509_privkey_deinit(key);
    if (certificate) gnutls_x509_crt_deinit(certificate);
    return is_made;
}
