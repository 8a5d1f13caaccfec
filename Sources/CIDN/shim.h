// SPDX-License-Identifier: GPL-3.0-or-later

#include <idn-free.h>
#include <idna.h>
#include <stringprep.h>
