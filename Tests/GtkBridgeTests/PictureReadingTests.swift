// SPDX-License-Identifier: GPL-3.0-or-later

import GtkTestSupport
import XCTest

@testable import GtkBridge

/// Tests of the order in which pictures are decoded.
final class PictureReadingTests: GtkTestCase {
    func testPicturesAreReadOneAtATime() {
        onMainActor {
            // The first takes far longer than all others.
            let files = [large()] + (1...19).map { progressive(scans: $0) }
            var order: [Int] = []
            for (index, file) in files.enumerated() {
                Picture.read(file, side: 16, scale: 1) {
                    XCTAssertNotNil($0)
                    order.append(index)
                }
            }
            waitUntil("all are read") { order.count == files.count }
            XCTAssertEqual(order, Array(0..<20))
        }
    }
}

/// Returns a picture of four million pixels.
@MainActor
private func large() -> [UInt8] {
    guard let pixels = gdk_pixbuf_new(GDK_COLORSPACE_RGB, 0, 8, 2000, 2000) else { return [] }
    defer { g_object_unref(UnsafeMutableRawPointer(pixels)) }
    gdk_pixbuf_fill(pixels, 0x2266_aaff)
    var (buffer, size): (UnsafeMutablePointer<gchar>?, gsize) = (nil, 0)
    gdk_pixbuf_save_to_bufferv(pixels, &buffer, &size, "png", nil, nil, nil)
    defer { g_free(buffer) }
    return [UInt8](UnsafeRawBufferPointer(start: buffer, count: Int(size)))
}

/// Returns a grey picture of 64 × 64 pixels: a scan of its brightness, and further ones that add nothing.
private func progressive(scans: Int, before: [UInt8] = []) -> [UInt8] {
    let table = { (kind: UInt8, symbol: UInt8) in
        segment(0xc4, [kind, 1] + Array(repeating: 0, count: 15) + [symbol])
    }
    return [0xff, 0xd8] + segment(0xdb, [0] + Array(repeating: 1, count: 64))
        + segment(0xc2, [8, 0, 64, 0, 64, 1, 1, 0x11, 0]) + table(0, 0) + table(0x10, 0x60) + before
        + scan(0, 0, Array(repeating: 0, count: 8), count: 1)
        // One run of 64 skips all blocks.
        + scan(1, 63, [1], count: scans) + [0xff, 0xd9]
}

private func segment(_ marker: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    [0xff, marker, UInt8((bytes.count + 2) >> 8), UInt8((bytes.count + 2) & 0xff)] + bytes
}

private func scan(_ first: UInt8, _ last: UInt8, _ data: [UInt8], count: Int) -> [UInt8] {
    let scan = segment(0xda, [1, 1, 0, first, last, 0]) + data
    return Array(repeatElement(scan, count: count).joined())
}
