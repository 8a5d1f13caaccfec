// SPDX-License-Identifier: GPL-3.0-or-later

extension String {
    /// The text as XML transports it (XML 1.0 sections 2.2 and 2.11): line ends become line feeds, and characters that
    /// XML does not allow are removed.
    var carried: String {
        guard unicodeScalars.contains(where: { !$0.isCarried }) else { return self }
        var text = String.UnicodeScalarView()
        var last: Unicode.Scalar?
        for scalar in unicodeScalars {
            if scalar == "\r" || scalar == "\n" && last != "\r" {
                text.append("\n")
            } else if scalar.isCarried, scalar != "\n" {
                text.append(scalar)
            }
            last = scalar
        }
        return String(text)
    }
}

extension Unicode.Scalar {
    fileprivate var isCarried: Bool {
        switch value {
        case 0x9, 0xA, 0x20...0xFFFD: true
        case 0x10000...: true
        default: false
        }
    }
}
