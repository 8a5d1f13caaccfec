// SPDX-License-Identifier: GPL-3.0-or-later

/// A GTK widget of any class.
public typealias Widget = UnsafeMutablePointer<GtkWidget>
