// SPDX-License-Identifier: GPL-3.0-or-later

/// The characters that change the direction of text (Unicode Standard Annex 9), in texts that strangers have written.
public enum DirectionControls {
    /// Returns a text without embeddings and overrides, and with all isolates closed: in a title, they would
    /// turn around the text that the phone or the desktop adds.
    public static func contained(_ text: String) -> String {
        // Each of them begins with this byte, which few texts have.
        guard text.utf8.contains(0xe2) else { return text }
        var (result, open) = (String.UnicodeScalarView(), 0)
        func close() {
            for _ in 0..<open { result.append("\u{2069}") }
            open = 0
        }
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x202a...0x202e: continue
            case 0x2066...0x2068:
                // More levels have no effect, and each is closed.
                guard open < 60 else { continue }
                open += 1
            case 0x2069:
                guard open > 0 else { continue }
                open -= 1
            // The effect ends with the paragraph.
            case 0x0a, 0x0d, 0x85, 0x2029: close()
            default: break
            }
            result.append(scalar)
        }
        close()
        return String(result)
    }
}
