// SPDX-License-Identifier: GPL-3.0-or-later

// This module is the only one that uses GTK directly: files that import it see GLib and the C libraries too. It exports
// CGio, because Swift assigns a GLib type to the first module that includes it.
@_exported public import CGio
@_exported public import CGtk
@_exported public import CGtkShims
@_exported public import CHandy
@_exported public import GLibBridge
