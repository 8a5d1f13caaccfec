// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

@testable import PictureFormats
@testable import TouchtoneFiles

@Suite struct PictureMetadataTests {
    /// ExifTool’s view of a picture, and a digest of its pixels by GdkPixbuf.
    private struct Reading: Decodable {
        let tags: [String: String]
        let pixels: String?
    }

    private static let tool = "\(Checkout.folder)/Tests/Tools/picture_metadata.py"

    private static var isAvailable: Bool {
        Peer.isRequired || (try? Peer.require("exiftool", package: "libimage-exiftool-perl")) != nil
    }

    private static func read(_ path: String) throws -> Reading {
        let text = try output(of: ["/usr/bin/python3", tool, "read", path])
        return try JSONDecoder().decode(Reading.self, from: Data(text.utf8))
    }

    /// Metadata that ExifTool has written is gone for ExifTool, and the pixels are the same.
    @Test(.enabled(if: isAvailable)) func onlyOrientationRemains() throws {
        let folder = try TemporaryFolders.make("touchtone-pictures")
        _ = try output(of: ["/usr/bin/python3", Self.tool, "make", folder])
        for name in ["a.jpg", "a.png", "a.webp"] {
            let path = "\(folder)/\(name)"
            let before = try Self.read(path)
            #expect(before.tags["GPS:GPSLatitude"] != nil && before.tags["IFD0:Make"] == "SECRET")
            let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            let clean = try #require(PictureMetadata.removed(from: whole))
            #expect(clean.count < whole.count)
            #expect(!String(decoding: clean, as: UTF8.self).contains("SECRET"))
            #expect(PictureMetadata.removed(from: clean) == clean, "nothing else is removed by a second pass")
            try Data(clean).write(to: URL(fileURLWithPath: path))
            let after = try Self.read(path)
            #expect(after.pixels == before.pixels)
            #expect(after.tags["ExifTool:Warning"] == nil, "\(name): \(after.tags)")
            let groups = [
                "ExifTool", "System", "File", "JFIF", "PNG", "PNG-pHYs", "RIFF", "Composite", "SourceFile",
            ]
            let others = after.tags.keys.filter { key in
                !groups.contains { key == $0 || key.hasPrefix("\($0):") }
            }
            #expect(others == ["IFD0:Orientation"], "\(name): \(others)")
            #expect(after.tags["IFD0:Orientation"] == "Rotate 90 CW")
            #expect(!after.tags.values.contains("SECRET"))
        }
    }

    @Test func jpegWithSecondPictureKeepsOnlyFirst() throws {
        let profile = segment(0xe2, Array("ICC_PROFILE\0".utf8) + [1, 1, 9])
        let secrets =
            segment(0xe2, Array("MPF\0secret".utf8)) + segment(0xfe, Array("secret".utf8))
            + segment(0xed, Array("Photoshop 3.0\0secret".utf8)) + segment(0xe1, Array("Exif\0\0secret".utf8))
        let jfif = Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]
        let picture =
            segment(0xdb, [1]) + segment(0xc0, [2]) + segment(0xda, [3]) + [7, 0xff, 0, 0xff, 0xd0, 8]
        let file = [0xff, 0xd8] + segment(0xe0, jfif) + profile + secrets + picture + secrets
        let clean = [0xff, 0xd8] + segment(0xe0, jfif) + profile + picture
        #expect(
            PictureMetadata.removed(from: file + [0xff, 0xd9] + file + [0xff, 0xd9]) == clean + [0xff, 0xd9])
        // The end may be missing.
        #expect(PictureMetadata.removed(from: clean) == clean + [0xff, 0xd9])
    }

    @Test func animationKeepsItsFramesAndTimes() throws {
        let head = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0] + [UInt8](repeating: 5, count: 6)
        let loop: [UInt8] = [0x21, 0xff, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
        let time: [UInt8] = [0x21, 0xf9, 4, 0, 9, 0, 0, 0]
        let frame: [UInt8] = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
        let comment: [UInt8] = [0x21, 0xfe, 6] + Array("secret".utf8) + [0]
        let xmp: [UInt8] = [0x21, 0xff, 11] + Array("XMP DataXMP".utf8) + [6] + Array("secret".utf8) + [0]
        let file = head + loop + comment + time + frame + xmp + time + frame + [0x3b] + Array("secret".utf8)
        #expect(PictureMetadata.removed(from: file) == head + loop + time + frame + time + frame + [0x3b])
    }

    @Test func orientationIsReadWithinItsBounds() {
        for orientation in UInt8(0)...9 {
            let exif = Orientation.exif(orientation)
            #expect(Orientation.read(exif[...]) == ((2...8).contains(orientation) ? orientation : nil))
            for count in 0..<exif.count {
                // Without the next directory’s offset, it is still read.
                let isWhole = count >= 20 && (2...8).contains(orientation)
                #expect((Orientation.read(exif.prefix(count)) != nil) == isWhole, "\(count)")
            }
        }
        let big: [UInt8] = Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 8, 0, 0]
        #expect(Orientation.read(big[...]) == 8)
        #expect(Orientation.read((Array("II*\0".utf8) + [0xff, 0xff, 0xff, 0xff, 0, 0])[...]) == nil)
    }

    @Test func unknownPicturesAreRecognized() {
        for start in [
            "II*\0", "MM\0*", "\0\0\0\u{18}ftypheic", "\0\0\0\u{18}ftypavif", "\0\0\0\u{18}ftypmif1",
        ] {
            let bytes = Array(start.utf8) + [UInt8](repeating: 0, count: 32)
            #expect(PictureMetadata.isPicture(bytes, mediaType: ""))
            #expect(PictureMetadata.removed(from: bytes) == nil)
        }
        #expect(PictureMetadata.isPicture(Array("<svg/>".utf8), mediaType: "image/svg+xml"))
        #expect(!PictureMetadata.isPicture(Array("%PDF".utf8), mediaType: "application/pdf"))
        #expect(!PictureMetadata.isPicture([], mediaType: ""))
        #expect(!PictureMetadata.isPicture(Array("\0\0\0\u{18}ftypmp42".utf8), mediaType: "video/mp4"))
    }

    /// Damaged files end without a result or with a smaller one, and never with a crash.
    @Test func damagedPicturesAreBounded() throws {
        let folder = try TemporaryFolders.make("touchtone-pictures")
        guard Self.isAvailable else { return }
        _ = try output(of: ["/usr/bin/python3", Self.tool, "make", folder])
        var random = SplitMix64(seed: 3)
        for name in ["a.jpg", "a.png", "a.webp"] {
            let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
            for _ in 0..<300 {
                var bytes = whole
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
                        in: 0...255, using: &random)
                }
                bytes.removeLast(Int.random(in: 0...bytes.count / 2, using: &random))
                if let clean = PictureMetadata.removed(from: bytes) {
                    #expect(clean.count <= bytes.count + 36)
                }
            }
        }
    }
}

private func segment(_ marker: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    [0xff, marker, UInt8((bytes.count + 2) >> 8), UInt8((bytes.count + 2) & 0xff)] + bytes
}
