// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

@testable import PictureFormats

/// Tests of the reduction of picture files, which runs in the phone's own process, on any bytes.
@Suite struct StillPictureTests {
    private static func files() throws -> [(name: String, bytes: [UInt8])] {
        let folder = try TemporaryFolders.make("touchtone-bombs")
        let tool = "\(Checkout.folder)/Tests/Tools/picture_bombs.py"
        _ = try output(of: ["/usr/bin/python3", tool, folder])
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map {
            ($0, [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)"))))
        }
    }

    @Test func onlyPixelsRemain() throws {
        for (name, bytes) in try Self.files() where name.hasPrefix("shown") {
            let still = try #require(StillPicture(bytes), "\(name)")
            #expect(StillPicture(still.bytes)?.bytes == still.bytes, "\(name)")
            let text = String(decoding: still.bytes, as: UTF8.self)
            for part in ["tEXt", "zTXt", "iTXt", "iCCP", "ICC_PROFILE", "Exif", "fdAT", "ANMF"] {
                #expect(!text.contains(part), "\(name) has \(part)")
            }
            if !name.contains("rows") { #expect(still.bytes.count < 1000, "\(name)") }
        }
    }

    @Test func anyCutOrChangedFileIsReducedOrRefused() throws {
        var random = SplitMix64(seed: 7)
        for (name, bytes) in try Self.files() where bytes.count < 400 {
            for length in 0..<bytes.count {
                if let still = StillPicture(Array(bytes.prefix(length))) {
                    #expect(still.width > 0 && still.height > 0, "\(name)")
                }
            }
            for _ in 0..<300 where !bytes.isEmpty {
                var changed = bytes
                for _ in 0...Int(random.next() % 4) {
                    changed[Int(random.next() % UInt64(changed.count))] = UInt8(
                        truncatingIfNeeded: random.next())
                }
                if let still = StillPicture(changed) { #expect(still.bytes.count <= changed.count + 64) }
            }
        }
    }

    @Test func orientationIsRead() throws {
        let exif = Array("Exif\0\0".utf8) + Orientation.exif(6)
        let jpeg = try #require(try Self.files().first { $0.name == "shown-jpeg" }?.bytes)
        let segment = [0xff, 0xe1, 0, UInt8(exif.count + 2)] + exif
        #expect(StillPicture(jpeg)?.orientation == nil)
        #expect(StillPicture(jpeg.prefix(2) + segment + jpeg.dropFirst(2))?.orientation == 6)
    }
}
