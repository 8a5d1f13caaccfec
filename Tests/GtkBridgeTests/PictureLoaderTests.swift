// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GtkTestSupport
import TestSupport
import XCTest

@testable import GtkBridge

/// Tests of decoding picture files for their display.
final class PictureLoaderTests: GtkTestCase {
    func testPictureIsScaledDownButNotUp() throws {
        try onMainActor {
            let wide = try XCTUnwrap(load(encoded(width: 3000, height: 1500), side: 300, scale: 2))
            XCTAssertEqual([wide.width, wide.height], [300, 150])
            XCTAssertEqual(cairo_image_surface_get_width(wide.surface), 600)
            let small = try XCTUnwrap(load(encoded(width: 40, height: 20), side: 300, scale: 2))
            XCTAssertEqual([small.width, small.height], [20, 10])
            let line = try XCTUnwrap(load(encoded(width: 4000, height: 1, as: "jpeg"), side: 100))
            XCTAssertEqual([line.width, line.height], [100, 1])
        }
    }

    func testOrientationIsApplied() throws {
        try onMainActor {
            // Orientation 6: the first row is the right side.
            let turned = turned(try encoded(width: 800, height: 400, as: "jpeg"), orientation: 6)
            let small = try XCTUnwrap(load(turned, side: 100))
            XCTAssertEqual([small.width, small.height], [50, 100])
            let whole = try XCTUnwrap(load(turned, side: 800))
            XCTAssertEqual([whole.width, whole.height], [400, 800])
        }
    }

    func testFirstFrameOfAnimationIsShown() throws {
        try onMainActor {
            let frame: [UInt8] = [0x2c, 0, 0, 0, 0, 2, 0, 1, 0, 0, 2, 2, 0x44, 0x0a, 0]
            let head = Array("GIF89a".utf8) + [2, 0, 1, 0, 0x80, 0, 0, 0xff, 0, 0, 0, 0, 0xff]
            let picture = try XCTUnwrap(load(head + frame + frame + [0x3b], side: 100))
            XCTAssertEqual([picture.width, picture.height], [2, 1])
        }
    }

    func testUnsafeFileIsRefused() throws {
        try onMainActor {
            XCTAssertNotNil(try load(encoded(width: 4096, height: 1), side: 100))
            XCTAssertNil(try load(encoded(width: 4097, height: 1), side: 100))
            XCTAssertNil(try load(encoded(width: 1, height: 4097), side: 100))
            var bomb = try encoded(width: 60, height: 60)
            bomb.replaceSubrange(16..<24, with: [0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60])
            XCTAssertNil(try load(bomb, side: 100))
            XCTAssertNil(try load(encoded(width: 60, height: 60).dropLast(40), side: 100))
            let svg =
                "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/></svg>"
            XCTAssertNil(try load(Array(svg.utf8), side: 100))
            XCTAssertNil(try load([], side: 100))
            // Bytes behind the end of the picture leave it valid.
            let picture = try encoded(width: 60, height: 60, as: "jpeg")
            let padding = [UInt8](repeating: 0, count: PictureLoader.maximumBytes - picture.count)
            XCTAssertNotNil(try load(picture + padding, side: 100))
            XCTAssertNil(try load(picture + padding + [0], side: 100))
            XCTAssertNil(loaded("/nowhere/at/all", side: 100, scale: 1))
            XCTAssertNil(loaded("/dev/zero", side: 100, scale: 1))
        }
    }
}

@MainActor
private func load(_ bytes: some Collection<UInt8>, side: Int, scale: Int = 1) throws -> Picture? {
    let path = try TemporaryFolders.make("touchtone-pictures") + "/picture"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return loaded(path, side: side, scale: scale)
}

@MainActor
private func loaded(_ path: String, side: Int, scale: Int) -> Picture? {
    let end = Variable<Picture??>(nil)
    Task { @MainActor in
        end.value = .some(await PictureLoader.load(path: path, maximumSide: side, scale: scale))
    }
    waitUntil("it is read") { end.value != nil }
    return end.value ?? nil
}

@MainActor
private func encoded(width: gint, height: gint, as type: String = "png") throws -> [UInt8] {
    let pixels = try XCTUnwrap(gdk_pixbuf_new(GDK_COLORSPACE_RGB, 0, 8, width, height))
    defer { g_object_unref(UnsafeMutableRawPointer(pixels)) }
    gdk_pixbuf_fill(pixels, 0x2266_aaff)
    var (buffer, size): (UnsafeMutablePointer<gchar>?, gsize) = (nil, 0)
    gdk_pixbuf_save_to_bufferv(pixels, &buffer, &size, type, nil, nil, nil)
    defer { g_free(buffer) }
    return [UInt8](UnsafeRawBufferPointer(start: buffer, count: Int(size)))
}

/// Returns a JPEG with an Exif segment that has only the orientation.
private func turned(_ jpeg: [UInt8], orientation: UInt8) -> [UInt8] {
    let exif =
        Array("Exif\0\0II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
        + [0, 0, 0, 0]
    return jpeg.prefix(2) + [0xff, 0xe1, 0, UInt8(exif.count + 2)] + exif + jpeg.dropFirst(2)
}
