// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GtkBridge
import GtkTestSupport
import TestSupport
import XCTest

/// Tests of reading and writing whole files while the main loop runs.
final class FilesTests: GtkTestCase {
    func testWrittenFileRoundTrips() throws {
        try onMainActor {
            let uri = "file://" + (try TemporaryFolders.make("touchtone-files")) + "/file"
            let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            XCTAssertNil(trouble { () async throws(Files.Trouble) in try await Files.write(bytes, to: uri) })
            let read = Variable<[UInt8]>([])
            XCTAssertNil(
                trouble { () async throws(Files.Trouble) in
                    read.value = try await Files.read(uri, maximum: bytes.count)
                })
            XCTAssertEqual(read.value, bytes)
            XCTAssertNil(trouble { () async throws(Files.Trouble) in try await Files.write([], to: uri) })
            XCTAssertNil(
                trouble { () async throws(Files.Trouble) in read.value = try await Files.read(uri, maximum: 0)
                })
            XCTAssertEqual(read.value, [])
        }
    }

    func testTooLargeFileIsNotReadToItsEnd() throws {
        try onMainActor {
            let path = try TemporaryFolders.make("touchtone-files") + "/file"
            XCTAssertTrue(FileManager.default.createFile(atPath: path, contents: Data()))
            XCTAssertEqual(truncate(path, 1 << 40), 0)
            // The size of the second says nothing of what is read.
            for path in [path, "/proc/self/maps"] {
                XCTAssertEqual(
                    trouble { () async throws(Files.Trouble) in
                        _ = try await Files.read("file://\(path)", maximum: 100)
                    }, .tooLarge)
            }
        }
    }

    /// Reading one of these might never end.
    func testPipesAndDevicesAreNotOpened() throws {
        try onMainActor {
            let folder = try TemporaryFolders.make("touchtone-files")
            XCTAssertEqual(mkfifo("\(folder)/pipe", 0o600), 0)
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/link", withDestinationPath: "\(folder)/pipe")
            for path in ["\(folder)/pipe", "\(folder)/link", "/dev/zero", "/dev/tty"] {
                XCTAssertEqual(
                    trouble { () async throws(Files.Trouble) in
                        _ = try await Files.read("file://\(path)", maximum: 100)
                    }, .noFile, path)
            }
        }
    }

    func testCancelledReadingEnds() throws {
        try onMainActor {
            let uri = "file://" + (try TemporaryFolders.make("touchtone-files")) + "/file"
            XCTAssertNil(
                trouble { () async throws(Files.Trouble) in
                    try await Files.write([UInt8](repeating: 1, count: 9_000_000), to: uri)
                })
            let cancellable = Cancellable()
            let end = Variable<Files.Trouble??>(nil)
            Task { @MainActor in
                do throws(Files.Trouble) {
                    _ = try await Files.read(uri, maximum: 10_000_000, cancellable: cancellable)
                    end.value = .some(nil)
                } catch { end.value = error }
            }
            Task { @MainActor in cancellable.cancel() }
            waitUntil("it is done") { end.value != nil }
            guard case .failed = end.value ?? nil else { return XCTFail("it was read") }
        }
    }

    func testFileErrorsAreReported() {
        onMainActor {
            for uri in ["file:///nowhere/at/all", "file:///tmp", "nonsense:", ""] {
                let trouble = trouble { () async throws(Files.Trouble) in
                    _ = try await Files.read(uri, maximum: 10)
                }
                guard case .failed(let why) = trouble else { return XCTFail("\(uri) was read") }
                XCTAssertFalse(why.isEmpty)
            }
            let trouble = trouble { () async throws(Files.Trouble) in
                try await Files.write([1], to: "file:///nowhere/at/all")
            }
            guard case .failed = trouble else { return XCTFail("it was written") }
        }
    }
}

/// Tests of scaling pictures down for storage.
final class PictureFileTests: GtkTestCase {
    func testLargePictureIsScaledDownAndSmallOneIsKept() throws {
        try onMainActor {
            let small = try XCTUnwrap(shrunk(picture(width: 3000, height: 1500), longest: 512))
            XCTAssertEqual(size(of: small), [512, 256])
            XCTAssertEqual(Array(small.prefix(2)), [0xff, 0xd8], "nothing is seen through: JPEG")
            let clear = try XCTUnwrap(shrunk(picture(width: 40, height: 20, isClear: true), longest: 512))
            XCTAssertEqual(size(of: clear), [40, 20])
            XCTAssertEqual(Array(clear.prefix(4)), [0x89, 0x50, 0x4e, 0x47])
            XCTAssertEqual(
                size(of: try XCTUnwrap(shrunk(picture(width: 2000, height: 1), longest: 100))), [100, 1])
        }
    }

    func testThumbnailIsSmall() throws {
        try onMainActor {
            for isClear in [false, true] {
                let file = picture(width: 800, height: 600, isClear: isClear)
                let made = Variable<String??>(nil)
                Task { @MainActor in made.value = .some(await PictureFile.thumbnail(of: file)) }
                waitUntil("it is made") { made.value != nil }
                let text = try XCTUnwrap(made.value ?? nil)
                XCTAssertLessThanOrEqual(text.utf8.count, 2048)
                XCTAssertEqual(size(of: [UInt8](try XCTUnwrap(Data(base64Encoded: text)))), [16, 12])
            }
        }
    }

    func testInvalidOrTooLargePictureIsRefused() throws {
        onMainActor {
            XCTAssertNil(shrunk(Array("no picture".utf8), longest: 512))
            XCTAssertNil(shrunk([], longest: 512))
            XCTAssertNil(shrunk(Array(picture(width: 300, height: 300).dropLast(40)), longest: 512))
            XCTAssertNil(shrunk(picture(width: 300, height: 300), longest: 300, maximum: 100))
            // The header claims 60,000 pixels in width and height: 14 GB.
            var bomb = picture(width: 60, height: 60)
            for (index, byte) in [UInt8(0), 0, 0xea, 0x60, 0, 0, 0xea, 0x60].enumerated() {
                bomb[16 + index] = byte
            }
            XCTAssertNil(shrunk(bomb, longest: 512))
        }
    }
}

/// Runs a closure, and returns its error.
@MainActor
private func trouble(_ body: @escaping @MainActor () async throws(Files.Trouble) -> Void) -> Files.Trouble? {
    let end = Variable<Files.Trouble??>(nil)
    Task { @MainActor in
        do throws(Files.Trouble) {
            try await body()
            end.value = .some(nil)
        } catch { end.value = error }
    }
    waitUntil("it is done") { end.value != nil }
    return end.value ?? nil
}

@MainActor
private func shrunk(_ bytes: [UInt8], longest: Int, maximum: Int = 1 << 20) -> [UInt8]? {
    let end = Variable<[UInt8]??>(nil)
    Task { @MainActor in
        end.value = .some(await PictureFile.shrunk(bytes, longest: longest, maximum: maximum))
    }
    waitUntil("it is read") { end.value != nil }
    return end.value ?? nil
}

@MainActor
private func picture(width: gint, height: gint, isClear: Bool = false) -> [UInt8] {
    guard let pixels = gdk_pixbuf_new(GDK_COLORSPACE_RGB, isClear ? 1 : 0, 8, width, height) else {
        return []
    }
    defer { g_object_unref(UnsafeMutableRawPointer(pixels)) }
    gdk_pixbuf_fill(pixels, 0x2266_aa80)
    var (buffer, size): (UnsafeMutablePointer<gchar>?, gsize) = (nil, 0)
    gdk_pixbuf_save_to_bufferv(pixels, &buffer, &size, "png", nil, nil, nil)
    defer { g_free(buffer) }
    return [UInt8](UnsafeRawBufferPointer(start: buffer, count: Int(size)))
}

@MainActor
private func size(of bytes: [UInt8]) -> [gint] {
    guard let loader = gdk_pixbuf_loader_new() else { return [] }
    defer { g_object_unref(UnsafeMutableRawPointer(loader)) }
    bytes.withUnsafeBufferPointer {
        _ = gdk_pixbuf_loader_write(loader, $0.baseAddress, gsize($0.count), nil)
    }
    gdk_pixbuf_loader_close(loader, nil)
    guard let pixels = gdk_pixbuf_loader_get_pixbuf(loader) else { return [] }
    return [gdk_pixbuf_get_width(pixels), gdk_pixbuf_get_height(pixels)]
}

/// Tests of the desktop's file dialog.
final class FileDialogTests: GtkTestCase {
    func testPictureLoadingDoesNotBlockAndCanBeCancelled() throws {
        try onMainActor {
            let window: UnsafeMutablePointer<GtkWidget> = gtk_window_new(GTK_WINDOW_TOPLEVEL)
            gtk_widget_show(window)
            let choice = FileDialog.Choice("Version", [.init("3.0", "3"), .init("4.0", "4")])
            let kind = FileDialog.Kind("vCards", types: ["text/vcard"], allFiles: "All Files")
            for request in [
                FileDialog.Request(opening: "Open This", kind: kind),
                FileDialog.Request(saving: "Save This", as: "name.vcf", choice: choice),
            ] {
                let end = Variable(Asked())
                Task { @MainActor in
                    end.value = Asked(isOver: true, answer: await FileDialog.ask(request, over: window))
                }
                waitUntil("it is there") { openDialog(request.title) != nil }
                let dialog = try XCTUnwrap(openDialog(request.title))
                XCTAssertEqual(gtk_window_get_transient_for(dialog.cast()), window.cast())
                XCTAssertFalse(end.value.isOver)
                gtk_dialog_response(dialog.cast(), GTK_RESPONSE_CANCEL.rawValue)
                waitUntil("it is answered") { end.value.isOver }
                XCTAssertNil(end.value.answer)
            }
            gtk_widget_destroy(window)
            handleEvents()
        }
    }

    func testSaveDialogReturnsNameAndExtraChoice() throws {
        try onMainActor {
            let window: UnsafeMutablePointer<GtkWidget> = gtk_window_new(GTK_WINDOW_TOPLEVEL)
            gtk_widget_show(window)
            let folder = try TemporaryFolders.make("touchtone-dialog")
            let choice = FileDialog.Choice("Version", [.init("3.0", "3"), .init("4.0", "4")])
            let end = Variable(Asked())
            Task { @MainActor in
                let request = FileDialog.Request(saving: "Save That", as: "name.vcf", choice: choice)
                end.value = Asked(isOver: true, answer: await FileDialog.ask(request, over: window))
            }
            waitUntil("it is there") { openDialog("Save That") != nil }
            let dialog = try XCTUnwrap(openDialog("Save That"))
            gtk_file_chooser_set_current_folder(OpaquePointer(dialog), folder)
            waitUntil("it is in the folder") { chosenFile(dialog) == "\(folder)/name.vcf" }
            gtk_dialog_response(dialog.cast(), GTK_RESPONSE_ACCEPT.rawValue)
            waitUntil("it is answered") { end.value.isOver }
            XCTAssertEqual(
                end.value.answer, FileDialog.Answer(uri: "file://\(folder)/name.vcf", choice: "3.0"))
            gtk_widget_destroy(window)
            handleEvents()
        }
    }
}

/// Returns the visible dialog with a title.
@MainActor
private func openDialog(_ title: String) -> UnsafeMutablePointer<GtkWidget>? {
    let list = gtk_window_list_toplevels()
    defer { g_list_free(list) }
    return sequence(first: list, next: { $0?.pointee.next }).prefix { $0 != nil }
        .compactMap { $0?.pointee.data?.assumingMemoryBound(to: GtkWidget.self) }
        .first {
            gtk_widget_get_visible($0) != 0 && cgtk_instance_is_a($0, gtk_dialog_get_type()) != 0
                && gtk_window_get_title($0.cast()).map { String(cString: $0) } == title
        }
}

/// The result of a dialog.
private struct Asked {
    var isOver = false
    var answer: FileDialog.Answer?
}

/// Returns the file that a dialog would return now.
@MainActor
private func chosenFile(_ dialog: UnsafeMutablePointer<GtkWidget>) -> String? {
    guard let name = gtk_file_chooser_get_filename(OpaquePointer(dialog)) else { return nil }
    defer { g_free(name) }
    return String(cString: name)
}
