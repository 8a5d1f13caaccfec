// SPDX-License-Identifier: GPL-3.0-or-later

extension Phone {
    /// A number as the display writes it, for lists beside the display.
    public func written(_ number: DialledNumber) -> String { formatter.string(for: number) }
}
