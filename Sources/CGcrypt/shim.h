// SPDX-License-Identifier: GPL-3.0-or-later

#include <gcrypt.h>

// gcry_control takes variable arguments, which Swift cannot pass. libsecret initializes the library, too; calls of any
// number and thread do no harm. No secure memory is set aside: the passwords are in ordinary memory before.
static inline void touchtone_gcrypt_initialize(void)
{
    if (gcry_control(GCRYCTL_INITIALIZATION_FINISHED_P))
        return;
    gcry_check_version(NULL);
    gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
}
