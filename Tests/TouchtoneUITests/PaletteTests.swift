// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GtkBridge
import GtkTestSupport
import TestSupport
import XCTest

/// Tests of the contrast of every text with its background (WCAG 2.1, 1.4.3 and 1.4.6), in every palette.
final class PaletteTests: GtkTestCase {
    private static let pairs = [
        ("body_text", "body_hi"), ("body_text", "body_lo"), ("led", "bezel_hi"), ("led", "bezel_lo"),
        ("amber", "bezel_hi"), ("amber", "bezel_lo"), ("key_text", "key_hi"), ("key_text", "key_lo"),
        ("key_text", "key_down_hi"), ("key_letters", "key_hi"), ("key_letters", "key_lo"),
        ("key_text", "dial_hi"),
        ("key_text", "dial_lo"), ("key_text", "del_hi"), ("key_text", "del_lo"), ("soft_text", "soft_hi"),
        ("soft_text", "soft_lo"), ("lit_text", "lit_hi"), ("lit_text", "lit_lo"), ("panel_text", "panel_hi"),
        ("panel_text", "panel_lo"), ("panel_dim", "panel_hi"), ("panel_title", "panel_hi"),
        ("panel_title", "panel_selected"), ("panel_text", "panel_selected"), ("panel_dim", "panel_selected"),
        ("panel_text", "panel_field"), ("panel_dim", "panel_field"), ("panel_problem", "panel_lo"),
        ("panel_problem", "panel_field"), ("panel_accent_text", "panel_accent"), ("sent_text", "sent_hi"),
        ("sent_text", "sent_lo"), ("sent_link", "sent_hi"), ("sent_link", "sent_lo"),
        ("received_text", "received_hi"), ("received_text", "received_lo"), ("received_link", "received_hi"),
        ("received_link", "received_lo"),
        ("lock_text", "lock_hi"), ("lock_text", "lock_lo"), ("lock_dim", "lock_hi"), ("lock_hint", "lock_hi"),
        ("lock_hint", "lock_lo"), ("lock_down_text", "lock_down"),
    ]

    func testTextIsLegible() throws {
        for (palette, least) in [
            ("cream", 4.5), ("charcoal", 4.5), ("cream-contrast", 7), ("charcoal-contrast", 7),
        ] {
            let colours = try colours(of: palette)
            for (text, ground) in Self.pairs {
                let ratio = contrast(
                    try XCTUnwrap(colours[text], text), try XCTUnwrap(colours[ground], ground))
                XCTAssertGreaterThanOrEqual(ratio, least, "\(palette): \(text) on \(ground)")
            }
        }
    }

    /// The marks of styled text are drawn with four fifths of its colour.
    func testMarksOfStylesAreLegible() throws {
        for (palette, least) in [
            ("cream", 4.5), ("charcoal", 4.5), ("cream-contrast", 7), ("charcoal-contrast", 7),
        ] {
            let colours = try colours(of: palette)
            for (name, ground) in [
                ("sent_text", "sent_hi"), ("sent_text", "sent_lo"), ("received_text", "received_hi"),
                ("received_text", "received_lo"),
            ] {
                let behind = try XCTUnwrap(colours[ground])
                let mark = zip(try XCTUnwrap(colours[name]), behind).map { 0.8 * $0 + 0.2 * $1 }
                XCTAssertGreaterThanOrEqual(contrast(mark, behind), least, "\(palette): \(ground)")
            }
        }
    }

    func testFocusRingsAreVisibleOnBody() throws {
        for palette in ["cream", "charcoal", "cream-contrast", "charcoal-contrast"] {
            let colours = try colours(of: palette)
            for (ring, ground) in [
                ("focus", "body_hi"), ("focus", "body_lo"), ("lock_focus", "lock_hi"),
                ("lock_focus", "lock_lo"), ("panel_focus", "panel_hi"), ("panel_focus", "panel_lo"),
                ("panel_focus", "panel_field"), ("panel_focus", "panel_selected"),
                ("light_online", "panel_lo"),
                ("light_away", "panel_lo"), ("light_busy", "panel_lo"), ("light_offline", "panel_lo"),
                ("light_online", "panel_selected"), ("light_away", "panel_selected"),
                // The edge of a text that is being typed.
                ("received_lo", "panel_hi"), ("received_lo", "panel_lo"),
            ] {
                let ratio = contrast(try XCTUnwrap(colours[ring]), try XCTUnwrap(colours[ground]))
                XCTAssertGreaterThanOrEqual(ratio, 3, "\(palette): \(ring) on \(ground)")
            }
        }
    }

    func testEveryPaletteHasSameNames() throws {
        let names = Set(try colours(of: "cream").keys)
        for palette in ["charcoal", "cream-contrast", "charcoal-contrast"] {
            XCTAssertEqual(Set(try colours(of: palette).keys), names, palette)
        }
    }

    private func colours(of palette: String) throws -> [String: [Double]] {
        let text = try String(contentsOfFile: "\(Checkout.folder)/data/style/\(palette).css", encoding: .utf8)
        var colours: [String: [Double]] = [:]
        for match in text.matches(of: /@define-color (\w+) (?:#([0-9a-f]{6})|.*);/) {
            let value = match.2.flatMap { Int($0, radix: 16) } ?? 0
            colours[String(match.1)] = [16, 8, 0].map { Double((value >> $0) & 255) / 255 }
        }
        return colours
    }

    private func contrast(_ one: [Double], _ other: [Double]) -> Double {
        let (light, dark) = (max(luminance(one), luminance(other)), min(luminance(one), luminance(other)))
        return (light + 0.05) / (dark + 0.05)
    }

    private func luminance(_ colour: [Double]) -> Double {
        let linear = colour.map { $0 <= 0.03928 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }
}
