// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import XCTest

@testable import TouchtoneUI

/// Tests of the spelling in the message field, with gspell and the American dictionary.
final class SpellingTests: GtkTestCase {
    func testMisspelledWordsAreUnderlinedIfSettingAsks() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.settings[text: "spelling-language"] = "en_US"
            fixture.meet()
            fixture.open()
            let field: UnsafeMutablePointer<GtkTextView> = try XCTUnwrap(
                fixture.find("Message", ATK_ROLE_TEXT)
            ).cast()
            gtk_widget_grab_focus(field.cast())
            let buffer = try XCTUnwrap(gtk_text_view_get_buffer(field))
            gtk_text_buffer_set_text(buffer, "a wrold of words ", -1)
            waitUntil("the word is underlined") { marked(in: buffer) == "wrold" }
            fixture.settings[flag: "message-spelling"] = false
            waitUntil("it is not underlined") { marked(in: buffer).isEmpty }
            fixture.settings[flag: "message-spelling"] = true
            waitUntil("it is underlined again") { marked(in: buffer) == "wrold" }
            // A window that closes with a misspelled word does no harm.
            fixture.clear()
            handleEvents()
            for key in ["message-spelling", "spelling-language"] { fixture.settings.reset(key) }
        }
    }

}

/// Returns the text that has a tag.
@MainActor
private func marked(in buffer: UnsafeMutablePointer<GtkTextBuffer>) -> String {
    var (place, text) = (GtkTextIter(), "")
    gtk_text_buffer_get_start_iter(buffer, &place)
    repeat {
        let tags = gtk_text_iter_get_tags(&place)
        if tags != nil, let letter = Unicode.Scalar(gtk_text_iter_get_char(&place)) {
            text.unicodeScalars.append(letter)
        }
        g_slist_free(tags)
    } while gtk_text_iter_forward_char(&place) != 0
    return text
}
