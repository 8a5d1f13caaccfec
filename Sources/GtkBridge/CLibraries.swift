// SPDX-License-Identifier: GPL-3.0-or-later

// The bridge is where the program meets GTK: who imports it sees the C libraries too, and names them nowhere.
@_exported public import CGtk
@_exported public import CGtkShims
@_exported public import CHandy
