// SPDX-License-Identifier: GPL-3.0-or-later

#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
