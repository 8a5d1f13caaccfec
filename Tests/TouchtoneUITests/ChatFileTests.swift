// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Foundation
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

private let url = "https://files.example.org/1/photo.png"

/// Tests of files in the panel.
final class ChatFileTests: GtkTestCase {
    func testAttachedFileShowsProgressAndIsSent() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            fixture.files.add("/home/report.pdf", size: 2_000_000, mediaType: "application/pdf")
            fixture.transfers.sizes["/home/report.pdf"] = 2_000_000
            fixture.navigator.file = FileDialog.Answer(uri: "file:///home/report.pdf")
            fixture.click(fixture.button("Attach"))
            fixture.sendFiles()
            waitUntil("the upload has begun") { !fixture.transfers.running.isEmpty }
            fixture.settle()
            let row = fixture.row("Conversation", "you, \(fixture.time): file report.pdf")
            XCTAssert(fixture.labels(in: row).contains("report.pdf"))
            fixture.transfers.running[0].advance(to: 1_000_000)
            fixture.settle()
            XCTAssert(fixture.labels(in: row).contains("Sending: 1 MB of 2 MB"))
            XCTAssertEqual(
                fixture.description(of: row), "Sending: 1 MB of 2 MB")
            XCTAssertNotNil(fixture.button("Cancel"))
            fixture.transfers.running[0].end()
            fixture.settle()
            XCTAssertEqual(fixture.sent.count, 1)
            XCTAssertNil(fixture.button("Cancel"))
            XCTAssertNotNil(fixture.button("Open"))
            fixture.clear()
        }
    }

    func testSeveralFilesAreSentInOrder() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            for name in ["a", "b"] { fixture.files.add("/home/\(name).pdf") }
            fixture.navigator.file = FileDialog.Answer(
                uri: "file:///home/a.pdf", others: ["sftp://example.org/c.pdf", "file:///home/b.pdf"])
            fixture.click(fixture.button("Attach"))
            waitUntil("the reason is told") {
                fixture.labels(in: fixture.widget).contains(
                    "Only files on this computer can be sent. Copy the others to it first.")
            }
            fixture.sendFiles(2)
            for name in ["a", "b"] {
                waitUntil("the upload has begun") {
                    fixture.transfers.running.map { $0.url.hasSuffix("\(name).pdf") } == [true]
                }
                fixture.transfers.running[0].end()
                fixture.settle()
            }
            XCTAssertEqual(fixture.navigator.fileRequests.map(\.isMultiple), [true])
            XCTAssertEqual(
                fixture.rows("Conversation"),
                ["a", "b"].map { "you, \(fixture.time): file \($0).pdf" })
            XCTAssertEqual(fixture.sent.count, 2)
            fixture.clear()
        }
    }

    func testCardShowsSize() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            let url = "https://files.example.org/report.pdf"
            fixture.transfers.statedSizes[url] = 2_000_000
            try come(fixture, url)
            let row = fixture.row("Conversation", "Grace")
            waitUntil("the size is shown") { fixture.labels(in: row).contains("files.example.org · 2 MB") }
            XCTAssertEqual(fixture.transfers.begun, [])
            fixture.clear()
        }
    }

    func testPictureGrowsAndShrinksWithPanel() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected(width: 800)
            let path = try writePicture(width: 1000, height: 500)
            defer { try? FileManager.default.removeItem(atPath: path) }
            fixture.files.cache[url] = path
            try come(fixture, url)
            @MainActor func width() -> gint {
                fixture.button("Open Picture").map(gtk_widget_get_allocated_width) ?? 0
            }
            waitUntil("it is wide") { (410..<430).contains(width()) }
            gtk_window_resize(fixture.widget.cast(), 406, 640)
            waitUntil("it is narrow") { (232..<252).contains(width()) }
            let row = try XCTUnwrap(fixture.row("Conversation", "Grace"))
            let balloon = try XCTUnwrap(fixture.balloon("Grace"))
            XCTAssertLessThanOrEqual(
                gtk_widget_get_allocated_width(balloon), gtk_widget_get_allocated_width(row) * 3 / 4)
            fixture.clear()
        }
    }

    func testCancelRemovesMessage() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            fixture.files.add("/home/report.pdf")
            fixture.insides.conversation.attach(uris: ["file:///home/report.pdf"])
            fixture.sendFiles()
            waitUntil("the upload has begun") { !fixture.transfers.running.isEmpty }
            fixture.settle()
            fixture.click(fixture.button("Cancel"))
            fixture.settle()
            XCTAssertEqual(fixture.rows("Conversation"), [])
            XCTAssertEqual(fixture.sent, [])
            fixture.clear()
        }
    }

    func testFailedUploadIsRetried() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            fixture.files.add("/home/report.pdf")
            fixture.insides.conversation.attach(uris: ["file:///home/report.pdf"])
            fixture.sendFiles()
            waitUntil("the upload has begun") { !fixture.transfers.running.isEmpty }
            fixture.transfers.running[0].end(.refused(status: 507))
            fixture.settle()
            XCTAssert(
                fixture.labels(in: fixture.row("Conversation", "you")).contains(
                    "The file server refused the file (error 507). Try again later."))
            fixture.click(fixture.button("Retry"))
            waitUntil("the upload has begun") { !fixture.transfers.running.isEmpty }
            fixture.transfers.running[0].end()
            fixture.settle()
            XCTAssertEqual(fixture.sent.count, 1)
            fixture.clear()
        }
    }

    func testRefusedFilesAreExplainedInField() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            fixture.files.problems["/home"] = .folder
            fixture.insides.conversation.attach(uris: ["file:///home"])
            fixture.settle()
            let text = "“home” is a folder. Compress it, and send the archive."
            XCTAssert(fixture.labels(in: fixture.widget).contains(text))
            fixture.insides.conversation.attach(uris: (1...100).map { "file:///home/\($0)" })
            fixture.settle()
            XCTAssert(
                fixture.labels(in: fixture.widget).contains(
                    "You can send at most 20 files at once, not 100."))
            XCTAssertEqual(fixture.rows("Conversation"), [])
            fixture.clear()
        }
    }

    func testAttachExplainsWhyItIsOff() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            let key = try XCTUnwrap(fixture.button("Attach"))
            XCTAssertNotEqual(gtk_widget_get_sensitive(key), 0)
            fixture.service.uploads.error = .unsupported
            fixture.service.tell(.ready)
            fixture.settle()
            // The app of a buddy who is online may take files directly.
            XCTAssertNotEqual(gtk_widget_get_sensitive(key), 0)
            fixture.service.tell(.presence(MessagePanelFixture.grace, device: "desk", nil))
            fixture.service.tell(.ready)
            fixture.settle()
            XCTAssertEqual(gtk_widget_get_sensitive(key), 0)
            XCTAssertEqual(fixture.description(of: key), "Your server does not take files.")
            fixture.open(.operatorAddress)
            XCTAssertEqual(gtk_widget_get_sensitive(key), 0)
            fixture.clear()
        }
    }

    func testPictureFromBuddyIsShownAndOpened() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            let path = try writePicture()
            defer { try? FileManager.default.removeItem(atPath: path) }
            fixture.files.cache[url] = path
            fixture.files.add(path, mediaType: "image/png")
            try come(fixture, url)
            waitUntil("the picture is shown") { fixture.button("Open Picture") != nil }
            fixture.settle()
            let picture = try XCTUnwrap(fixture.button("Open Picture"))
            XCTAssertGreaterThanOrEqual(gtk_widget_get_allocated_width(picture), 232)
            XCTAssertNotNil(fixture.row("Conversation", "Grace, \(fixture.time): picture photo.png"))
            fixture.click(picture)
            waitUntil("it is opened") { !fixture.navigator.openedFiles.isEmpty }
            XCTAssertEqual(fixture.navigator.openedFiles, [fixture.files.cache[url]])
            XCTAssertEqual(fixture.transfers.begun, [])
            fixture.clear()
        }
    }

    func testPictureFromStrangerWaitsForShow() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            let stranger = ChatAddress("stranger@example.org")
            try come(fixture, url, from: stranger)
            fixture.open(stranger)
            let row = fixture.row("Conversation", "stranger")
            XCTAssert(fixture.labels(in: row).contains("files.example.org"))
            XCTAssertEqual(fixture.transfers.begun, [])
            fixture.click(fixture.button("Show Picture"))
            waitUntil("the download has begun") { !fixture.transfers.running.isEmpty }
            fixture.transfers.running[0].advance(to: 100_000, of: 200_000)
            fixture.settle()
            XCTAssert(fixture.labels(in: row).contains("Downloading: 100 kB of 200 kB"))
            fixture.transfers.running[0].end(.tooLarge(limit: 10 << 20))
            fixture.settle()
            XCTAssert(fixture.labels(in: row).contains("The file is larger than 10 MB."))
            XCTAssertNotNil(fixture.button("Retry"))
            fixture.clear()
        }
    }

    func testOtherFileIsSavedAndProgramIsNotOpened() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            let url = "https://files.example.org/setup.sh"
            fixture.files.cache[url] = "/cache/setup.sh"
            fixture.files.add("/cache/setup.sh", mediaType: "application/x-shellscript", isProgram: true)
            try come(fixture, url)
            fixture.navigator.file = FileDialog.Answer(uri: "file:///home/setup.sh")
            fixture.click(fixture.button("Save…"))
            waitUntil("it is saved") { !fixture.files.copies.isEmpty }
            XCTAssertEqual(fixture.files.copies, ["/cache/setup.sh to file:///home/setup.sh"])
            XCTAssertEqual(fixture.navigator.fileRequests.map(\.newName), ["setup.sh"])
            fixture.click(fixture.button("Open"))
            waitUntil("it is refused") {
                fixture.labels(in: fixture.widget).contains {
                    $0.hasPrefix("“setup.sh” is a program, which is not opened from here.")
                }
            }
            XCTAssertEqual(fixture.navigator.openedFiles, [])
            fixture.clear()
        }
    }

    func testOfferIsSavedOrDeclined() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            let (files, direct) = (fixture.service.uploads, fixture.service.uploads.transfers)
            for id in ["1", "2"] {
                files.offers.insert(SharedFile.offerScheme + id)
                fixture.come(SharedFile(offer: id, name: "holiday.pdf", size: 2_000_000))
                waitUntil("it is shown") { fixture.labels(in: fixture.widget).contains("2 MB") }
                XCTAssertNil(fixture.button("Open"))
                guard id == "1" else { break }
                fixture.navigator.file = FileDialog.Answer(uri: "file:///home/holiday.pdf")
                fixture.click(fixture.button("Save…"))
                waitUntil("it is being received") { !direct.running.isEmpty }
                direct.running[0].advance(to: 1_000_000)
                fixture.settle()
                XCTAssert(fixture.labels(in: fixture.widget).contains("Downloading: 1 MB of 2 MB"))
                direct.running[0].end(.damaged)
                fixture.settle()
                XCTAssert(
                    fixture.labels(in: fixture.widget).contains(
                        "The file arrived damaged. Ask the sender to send it again."))
                XCTAssertNil(fixture.button("Retry"))
                XCTAssertNil(fixture.button("Save…"))
            }
            XCTAssertEqual(direct.begun, ["offer:1"])
            fixture.click(fixture.button("Cancel"))
            fixture.settle()
            XCTAssertEqual(files.declined, ["offer:2"])
            XCTAssert(fixture.labels(in: fixture.widget).contains("You declined the file."))
            XCTAssertNil(fixture.button("Cancel"))
            XCTAssertEqual(fixture.files.copies, [])
            fixture.clear()
        }
    }

    func testPastedPictureIsSentAndTextIsPasted() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            let clipboard = gtk_clipboard_get_default(gdk_display_get_default())
            let pixels = try XCTUnwrap(gdk_pixbuf_new(GDK_COLORSPACE_RGB, 0, 8, 20, 10))
            gdk_pixbuf_fill(pixels, 0x3366_99ff)
            gtk_clipboard_set_image(clipboard, pixels)
            g_object_unref(UnsafeMutableRawPointer(pixels))
            fixture.click(fixture.field)
            fixture.type(GDK_KEY_v, with: Modifier.control)
            fixture.sendFiles()
            waitUntil("the upload has begun") { !fixture.transfers.running.isEmpty }
            fixture.settle()
            XCTAssertEqual(fixture.files.pictures.count, 1)
            XCTAssertEqual(
                fixture.files.pictures.values.first?.prefix(4), [0x89, 0x50, 0x4e, 0x47])
            XCTAssertNotNil(fixture.row("Conversation", "you, \(fixture.time): picture picture.png"))
            XCTAssertEqual(fixture.fieldText, "")
            Clipboard.write("hello")
            fixture.click(fixture.field)
            fixture.type(GDK_KEY_v, with: Modifier.control)
            waitUntil("the text is pasted") { fixture.fieldText == "hello" }
            XCTAssertEqual(fixture.files.pictures.count, 1)
            fixture.clear()
        }
    }

    func testPastedFilesAreSentAndLinksArePasted() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            fixture.files.add("/home/a.pdf")
            copyURIs("file:///home/a.pdf")
            fixture.click(fixture.field)
            fixture.type(GDK_KEY_v, with: Modifier.control)
            fixture.sendFiles()
            waitUntil("the upload has begun") { !fixture.transfers.running.isEmpty }
            fixture.settle()
            XCTAssertEqual(fixture.rows("Conversation"), ["you, \(fixture.time): file a.pdf"])
            XCTAssertEqual(fixture.fieldText, "")
            copyURIs("https://example.org/")
            fixture.type(GDK_KEY_v, with: Modifier.control)
            waitUntil("the link is pasted") { fixture.fieldText == "https://example.org/" }
            XCTAssertEqual(fixture.rows("Conversation").count, 1)
            fixture.clear()
        }
    }

    func testUndecodablePictureStaysCard() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).png").path
            defer { try? FileManager.default.removeItem(atPath: path) }
            try Data("no picture".utf8).write(to: URL(fileURLWithPath: path))
            fixture.files.cache[url] = path
            try come(fixture, url)
            waitUntil("the card says so") {
                fixture.labels(in: fixture.widget).contains("This picture can’t be shown.")
            }
            XCTAssertNotNil(fixture.button("Open"))
            fixture.clear()
        }
    }

    func testLongNamesStayInPanel() throws {
        try onMainActor {
            for isRightToLeft in [false, true] {
                let fixture = try MessagePanelFixture.connected(isRightToLeft: isRightToLeft)
                try come(
                    fixture,
                    "https://files.example.org/" + String(repeating: "long-name-", count: 150) + ".pdf")
                let row = try XCTUnwrap(fixture.row("Conversation", "Grace"))
                let balloon = try XCTUnwrap(fixture.balloon("Grace"))
                XCTAssertLessThanOrEqual(
                    gtk_widget_get_allocated_width(balloon), gtk_widget_get_allocated_width(row))
                XCTAssertNotNil(fixture.button("Open"))
                fixture.clear()
            }
        }
    }
}

@MainActor
private func come(
    _ fixture: MessagePanelFixture, _ url: String, from buddy: ChatAddress = MessagePanelFixture.grace
) throws {
    fixture.come(try XCTUnwrap(SharedFile(received: url)), from: buddy)
}

/// Puts a URI on the clipboard, and the same as text, as file managers and browsers do.
@MainActor
private func copyURIs(_ uri: StaticString) {
    let list = gtk_target_list_new(nil, 0)
    gtk_target_list_add_uri_targets(list, 1)
    gtk_target_list_add_text_targets(list, 2)
    var count: gint = 0
    let targets = gtk_target_table_new_from_list(list, &count)
    gtk_clipboard_set_with_data(
        gtk_clipboard_get_default(gdk_display_get_default()), targets, guint(count),
        { _, selection, target, data in
            let uri = data?.assumingMemoryBound(to: CChar.self)
            var uris = [UnsafeMutablePointer<CChar>?](arrayLiteral: uri, nil)
            if target == 1 { gtk_selection_data_set_uris(selection, &uris) }
            if target == 2 { gtk_selection_data_set_text(selection, uri, -1) }
        }, { _, _ in }, UnsafeMutableRawPointer(mutating: uri.utf8Start))
    gtk_target_table_free(targets, count)
    gtk_target_list_unref(list)
}

/// Writes a picture to the folder of temporary files, and returns its path.
@MainActor
func writePicture(width: gint = 300, height: gint = 150) throws -> String {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).png").path
    let pixels = try XCTUnwrap(gdk_pixbuf_new(GDK_COLORSPACE_RGB, 0, 8, width, height))
    gdk_pixbuf_fill(pixels, 0x3366_99ff)
    XCTAssertNotEqual(gdk_pixbuf_savev(pixels, path, "png", nil, nil, nil), 0)
    g_object_unref(UnsafeMutableRawPointer(pixels))
    return path
}
