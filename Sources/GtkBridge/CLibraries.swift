// SPDX-License-Identifier: GPL-3.0-or-later

// The bridge is where the program meets GTK: a file that imports it sees GLib and the C libraries too, and names them
// nowhere. CGio is here since Swift takes a type of GLib to be of the first module that includes it.
@_exported public import CGio
@_exported public import CGtk
@_exported public import CGtkShims
@_exported public import CHandy
@_exported public import GLibBridge
