// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Foundation
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of verification by a picture of a code, which is chosen, pasted or dropped, and of the own code.
final class DevicesPictureTests: GtkTestCase {
    private static let (grace, me) = (MessagePanelFixture.grace, MessagePanelFixture.me)
    private static let choose = "Verify by Code in Picture…"
    private static let paste = "Verify by Link or Code in Clipboard…"

    func testChosenPictureVerifiesOnlyAfterConfirmation() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            fixture.openDevices()
            let keys = fixture.service.keys
            _ = keys.takeCalls()
            try fixture.choose(try QRPictures.write(Self.link))
            waitUntil("it is asked") { fixture.shownTexts.contains("Verify 1 Device?") }
            XCTAssertEqual(fixture.navigator.fileRequests.count, 1)
            XCTAssertEqual(keys.takeCalls(), [])
            fixture.press("Verify")
            fixture.wait(for: [.trust(.verified, DeviceAddress(Self.grace, 11))])
            fixture.clear()
        }
    }

    func testPictureWithAnotherKeyIsAnAlarm() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            fixture.openDevices()
            let keys = fixture.service.keys
            _ = keys.takeCalls()
            let wrong = XMPPURI(
                Self.grace.text, keys: [LinkedKey(device: 11, key: Array(repeating: 12, count: 32))])
            try fixture.choose(try QRPictures.write(wrong.text))
            waitUntil("it is said") { fixture.shownTexts.contains("The Keys Differ") }
            XCTAssertNil(fixture.button("Verify"))
            XCTAssertEqual(keys.takeCalls(), [])
            fixture.clear()
        }
    }

    func testOtherPicturesVerifyNothing() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            fixture.openDevices()
            let keys = fixture.service.keys
            _ = keys.takeCalls()
            let edsger = MessagePanelFixture.edsger
            let notes = "\(try TemporaryFolders.make("touchtone-codes"))/notes.png"
            try "no picture".write(toFile: notes, atomically: true, encoding: .utf8)
            for (path, words) in [
                (try writePicture(), "No QR code was found in this picture."),
                (
                    try QRPictures.write("https://example.org/"),
                    "The QR code in this picture is not a link with keys."
                ),
                (
                    try QRPictures.write("xmpp:grace@example.org"),
                    "The QR code in this picture is not a link with keys."
                ),
                (
                    try QRPictures.write(String(repeating: "xmpp:", count: 580)),
                    "The QR code in this picture is not a link with keys."
                ),
                (
                    try QRPictures.write(
                        XMPPURI(edsger, verifying: [MessagePanelFixture.device(11, of: edsger)]).text),
                    "The link is of edsger@example.org"
                ),
                (notes, "This file isn’t a picture"), ("/nowhere/code.png", "The picture can’t be read:"),
            ] {
                try fixture.choose(path)
                waitUntil("it is said: \(words)") { fixture.shownTexts.contains { $0.hasPrefix(words) } }
                XCTAssertNil(fixture.button("Verify"))
                fixture.goBack()
            }
            XCTAssertEqual(keys.takeCalls(), [])
            // The user has cancelled the dialog.
            fixture.navigator.file = nil
            fixture.press(Self.choose)
            fixture.settle()
            XCTAssert(fixture.shownTexts.contains("Devices of Grace"))
            fixture.clear()
        }
    }

    func testPicturesAndFilesArePasted() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            fixture.openDevices()
            let path = try QRPictures.write(Self.link)
            let pixels = try XCTUnwrap(gdk_pixbuf_new_from_file(path, nil))
            gtk_clipboard_set_image(gtk_clipboard_get_default(gdk_display_get_default()), pixels)
            g_object_unref(UnsafeMutableRawPointer(pixels))
            for byKey in [true, false] {
                if byKey { fixture.type("v", with: Modifier.control) } else { fixture.press(Self.paste) }
                waitUntil("it is asked") { fixture.shownTexts.contains("Verify 1 Device?") }
                fixture.goBack()
            }
            // What is copied later replaces it: a text, and nothing of use.
            Clipboard.write(Self.link)
            fixture.type("v", with: Modifier.control)
            waitUntil("it is asked") { fixture.shownTexts.contains("Verify 1 Device?") }
            fixture.goBack()
            Clipboard.write("hello")
            fixture.type("v", with: Modifier.control)
            waitUntil("it is said") {
                fixture.shownTexts.contains { $0.hasPrefix("There is no link with keys, and no picture") }
            }
            fixture.clear()
        }
    }

    func testFilesAreDropped() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            fixture.openDevices()
            let uri = try XCTUnwrap(Files.uri(of: try QRPictures.write(Self.link)))
            fixture.drop([uri])
            waitUntil("it is asked") { fixture.shownTexts.contains("Verify 1 Device?") }
            fixture.goBack()
            fixture.drop([uri, uri])
            waitUntil("it is said") { fixture.shownTexts.contains("Choose one picture.") }
            fixture.clear()
        }
    }

    /// An answer that comes late is not shown in place of what the user does now.
    func testLateAnswerIsForgotten() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            fixture.openDevices()
            let picture = try QRPictures.write(Self.link)
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: picture)))
            try fixture.choose(picture)
            // No answer comes before the main loop runs again.
            waitUntil("it is being read") { fixture.shownTexts.contains("Reading the picture…") }
            fixture.press("Back")
            fixture.press("Verify device 11")
            waitUntil("it is asked") { fixture.shownTexts.contains("Verify device 11") }
            // Pictures are read one after another.
            let isRead = Variable(false)
            Task {
                for _ in 0..<3 { _ = await PictureCodes.read(bytes) }
                isRead.value = true
            }
            waitUntil("the picture is read") { isRead.value }
            fixture.settle()
            XCTAssertFalse(fixture.shownTexts.contains("Verify 1 Device?"))
            XCTAssertNotNil(fixture.button("They Are the Same"))
            fixture.clear()
        }
    }

    func testShownCodeIsReadByOthers() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            fixture.openDevices()
            fixture.press("Show Your Code…")
            waitUntil("it is shown") { fixture.shownTexts.contains("Your Code") }
            fixture.settle()
            let area = try XCTUnwrap(
                fixture.popovers.first.flatMap { popover in
                    descendants(of: popover).first { accessibleName(of: $0) == "QR Code of Your Keys" }
                })
            waitUntil("it has its place") { gtk_widget_get_allocated_width(area) > 100 }
            gtk_test_widget_wait_for_draw(area)
            let path = "\(try TemporaryFolders.make("touchtone-codes"))/own.png"
            let surface = cairo_image_surface_create(
                CAIRO_FORMAT_ARGB32, gtk_widget_get_allocated_width(area),
                gtk_widget_get_allocated_height(area))
            let cairo = cairo_create(surface)
            gtk_widget_draw(area, cairo)
            XCTAssertEqual(cairo_surface_write_to_png(surface, path), CAIRO_STATUS_SUCCESS)
            cairo_destroy(cairo)
            cairo_surface_destroy(surface)
            let own = XMPPURI(Self.me, verifying: MessagePanelFixture.devices).text
            XCTAssertEqual(try QRPictures.read(path), own)
            // The phone of the other side reads it, too: there, the keys are compared.
            fixture.press("Back")
            try fixture.choose(path)
            waitUntil("it is asked") { fixture.shownTexts.contains("Verify 1 Device?") }
            fixture.clear()
        }
    }

    /// The link with the keys of the other side.
    @MainActor private static let link = XMPPURI(grace, verifying: MessagePanelFixture.devices).text
}

extension MessagePanelFixture {
    fileprivate func choose(_ path: String) throws {
        navigator.file = FileDialog.Answer(uri: try XCTUnwrap(Files.uri(of: path)))
        press("Verify by Code in Picture…")
    }

    fileprivate func goBack() {
        press(button("Back") == nil ? "Cancel" : "Back")
        waitUntil("the devices are back") { shownTexts.contains("Devices of Grace") }
    }

    /// Drops files on the popover, as GTK tells it.
    fileprivate func drop(_ uris: [String]) {
        let place = popovers.first.flatMap { gtk_bin_get_child($0.cast()) }
        guard let place, let selection = selection(uris) else { return XCTFail("there is no popover") }
        var values = [
            value(gtk_widget_get_type()), value(gdk_drag_context_get_type()), value(GType(6 << 2)),
            value(GType(6 << 2)), value(gtk_selection_data_get_type()), value(GType(7 << 2)),
            value(GType(7 << 2)),
        ]
        g_value_set_object(&values[0], place)
        g_value_set_boxed(&values[4], UnsafeRawPointer(selection))
        g_value_set_uint(&values[5], 1)
        g_signal_emitv(&values, g_signal_lookup("drag-data-received", gtk_widget_get_type()), 0, nil)
        for index in values.indices { g_value_unset(&values[index]) }
        gtk_selection_data_free(selection)
    }

    private func value(_ type: GType) -> GValue {
        var value = GValue()
        g_value_init(&value, type)
        return value
    }

    /// Returns the data of a drag with files.
    private func selection(_ uris: [String]) -> OpaquePointer? {
        let clipboard = gtk_clipboard_get_default(gdk_display_get_default())
        let name = strdup("text/uri-list")
        var targets = [GtkTargetEntry(target: name, flags: 0, info: 1)]
        let text = uris.map { "\($0)\r\n" }.joined()
        gtk_clipboard_set_with_data(clipboard, &targets, 1, giveFiles, forgetFiles, strdup(text))
        free(name)
        return gtk_clipboard_wait_for_contents(clipboard, gdk_atom_intern("text/uri-list", 0))
    }
}

private let giveFiles: GtkClipboardGetFunc = { _, selection, _, data in
    guard let text = data?.assumingMemoryBound(to: CChar.self) else { return }
    let length = gint(strlen(text))
    text.withMemoryRebound(to: guchar.self, capacity: Int(length)) {
        gtk_selection_data_set(selection, gdk_atom_intern("text/uri-list", 0), 8, $0, length)
    }
}

private let forgetFiles: GtkClipboardClearFunc = { _, data in free(data) }
