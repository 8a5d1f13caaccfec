// SPDX-License-Identifier: GPL-3.0-or-later

/// A number being dialled.
public struct DialledNumber: Hashable, Sendable {}
