// SPDX-License-Identifier: GPL-3.0-or-later

#include <omemo/curve.h>
#include <omemo/key_helper.h>
#include <omemo/protocol.h>
#include <omemo/ratchet.h>
#include <omemo/session_builder.h>
#include <omemo/session_cipher.h>
#include <omemo/session_pre_key.h>
#include <omemo/session_record.h>
#include <omemo/session_state.h>
#include <omemo/signal_protocol.h>
