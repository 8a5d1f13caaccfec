// SPDX-License-Identifier: GPL-3.0-or-later

// Files that import this module see GTK, GLib and the other C libraries too, and do not import them. CGio is exported
// here, because Swift assigns a GLib type to the first module that includes it.
@_exported public import CGio
@_exported public import CGtk
@_exported public import CGtkShims
@_exported public import CHandy
@_exported public import GLibBridge
