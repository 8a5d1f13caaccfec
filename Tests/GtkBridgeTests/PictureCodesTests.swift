// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GtkTestSupport
import TestSupport
import XCTest

@testable import GtkBridge

/// Tests of the QR codes in pictures, which qrencode makes and the process that decodes pictures reads.
final class PictureCodesTests: GtkTestCase {
    private static let link = "xmpp:grace@example.org?omemo-sid-1=" + String(repeating: "0b", count: 32)

    func testCodesOfAllSizesAndColoursAreRead() throws {
        for options in [
            // The smallest has no margin, and a pixel for each module.
            ["-s", "1", "-m", "0"], ["-s", "2"], ["-s", "4"], ["-s", "40"],
            ["--foreground=eeeeec", "--background=2e3436"], ["--foreground=000000", "--background=ffffff00"],
            ["--foreground=204a87", "--background=fce94f", "-s", "5"],
        ] {
            let answer = try codes(in: try QRPictures.write(Self.link, options))
            XCTAssertEqual(answer, .texts([Self.link]), "\(options)")
        }
    }

    func testLongestTextIsRead() throws {
        let text = String(repeating: "long ä ", count: 368)
        XCTAssertEqual(text.utf8.count, 2944)
        XCTAssertEqual(try codes(in: try QRPictures.write(text, ["-s", "4"])), .texts([text]))
    }

    func testOtherPicturesHaveNone() throws {
        try onMainActor {
            let plain = try XCTUnwrap(picture(300, 200))
            XCTAssertEqual(codes(in: plain), .texts([]))
            XCTAssertEqual(codes(in: Array(plain.dropLast(40))), .unreadable)
            XCTAssertEqual(codes(in: Array("xmpp:grace@example.org".utf8)), .unreadable)
            XCTAssertEqual(codes(in: []), .unreadable)
            XCTAssertEqual(
                codes(in: [UInt8](repeating: 0, count: PictureFile.maximumBytes + 1)), .unreadable)
        }
    }

    func testSeveralCodesAreTold() throws {
        try onMainActor {
            let paths = try ["one", "two", "three"].map { try QRPictures.write($0, ["-s", "6"]) }
            guard case .texts(let texts) = codes(in: try joined(paths)) else {
                return XCTFail("the picture can't be read")
            }
            XCTAssertEqual(texts.count, 2)
            XCTAssert(Set(texts).isSubset(of: ["one", "two", "three"]), "\(texts)")
            // The same code twice is one.
            XCTAssertEqual(codes(in: try joined([paths[0], paths[0]])), .texts(["one"]))
        }
    }

    func testMissingLibraryIsTold() throws {
        let path = try QRPictures.write(Self.link)
        let folder = try TemporaryFolders.make("touchtone-codes")
        // A library that cannot be loaded.
        try "".write(toFile: "\(folder)/libzbar.so.0", atomically: true, encoding: .utf8)
        let before = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        setenv("LD_LIBRARY_PATH", [folder, before].compactMap(\.self).joined(separator: ":"), 1)
        defer { if let before { setenv("LD_LIBRARY_PATH", before, 1) } else { unsetenv("LD_LIBRARY_PATH") } }
        XCTAssertEqual(try codes(in: path), .noLibrary)
    }

    /// The answer of a process that a picture has broken.
    func testBrokenAnswersAreRefused() {
        func bytes(_ count: UInt32, _ text: String) -> [UInt8] {
            withUnsafeBytes(of: count) { Array($0) } + Array(text.utf8)
        }
        XCTAssertEqual(PictureCodes.texts([]), [])
        XCTAssertEqual(PictureCodes.texts((bytes(2, "ab") + bytes(0, ""))[...]), ["ab", ""])
        for broken in [
            [1], [1, 0, 0], bytes(3, "ab"), bytes(.max, "ab"), bytes(1, "ab"),
            bytes(4097, String(repeating: "x", count: 4097)), bytes(0, "") + bytes(0, "") + bytes(0, ""),
        ] {
            XCTAssertNil(PictureCodes.texts(broken[...]), "\(broken.prefix(8))")
        }
        // What is not UTF-8 is no link.
        XCTAssertEqual(PictureCodes.texts((bytes(1, "") + [0xff])[...]), ["\u{FFFD}"])
    }
}

/// Returns the codes in a file.
private func codes(in path: String) throws -> PictureCodes.Answer {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    return onMainActor { codes(in: bytes) }
}

@MainActor
private func codes(in bytes: [UInt8]) -> PictureCodes.Answer {
    let answer = Variable<PictureCodes.Answer?>(nil)
    Task { answer.value = await PictureCodes.read(bytes) }
    waitUntil("the picture is read") { answer.value != nil }
    return answer.value ?? .unreadable
}

@MainActor
private func picture(_ width: gint, _ height: gint) -> [UInt8]? {
    gdk_pixbuf_new(GDK_COLORSPACE_RGB, 0, 8, width, height).flatMap { pixels in
        gdk_pixbuf_fill(pixels, 0xffff_ffff)
        return file(taking: pixels)
    }
}

/// Returns a picture of some pictures side by side.
@MainActor
private func joined(_ paths: [String]) throws -> [UInt8] {
    let parts = try paths.map { try XCTUnwrap(gdk_pixbuf_new_from_file($0, nil)) }
    let width = parts.reduce(0) { $0 + gdk_pixbuf_get_width($1) }
    let height = parts.map { gdk_pixbuf_get_height($0) }.max() ?? 0
    let whole = try XCTUnwrap(gdk_pixbuf_new(GDK_COLORSPACE_RGB, 0, 8, width, height))
    gdk_pixbuf_fill(whole, 0xffff_ffff)
    var x: gint = 0
    for part in parts {
        let (wide, high) = (gdk_pixbuf_get_width(part), gdk_pixbuf_get_height(part))
        gdk_pixbuf_composite(
            part, whole, x, 0, wide, high, Double(x), 0, 1, 1, GDK_INTERP_NEAREST, 255)
        x += wide
        g_object_unref(UnsafeMutableRawPointer(part))
    }
    return try XCTUnwrap(file(taking: whole))
}

@MainActor
private func file(taking pixels: OpaquePointer) -> [UInt8]? {
    defer { g_object_unref(UnsafeMutableRawPointer(pixels)) }
    var (buffer, size): (UnsafeMutablePointer<gchar>?, gsize) = (nil, 0)
    guard gdk_pixbuf_save_to_bufferv(pixels, &buffer, &size, "png", nil, nil, nil) != 0 else {
        return nil
    }
    defer { g_free(buffer) }
    return [UInt8](UnsafeRawBufferPointer(start: buffer, count: Int(size)))
}
