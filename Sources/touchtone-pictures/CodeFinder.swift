// SPDX-License-Identifier: GPL-3.0-or-later

internal import CPixbuf
internal import Glibc

/// The QR codes in a picture, found by libzbar, which is loaded only for that.
struct CodeFinder {
    private typealias Object = UnsafeMutableRawPointer

    /// Constants of zbar.h.
    private enum Constant {
        static let anyKind: CInt = 0
        static let qr: CInt = 64
        static let enable: CInt = 0
        /// Bytes as they are in the code: the library would load tables of character sets.
        static let binary: CInt = 4
        static let testInverted: CInt = 0x81
        /// `Y800`, a byte of brightness for each pixel.
        static let gray: CUnsignedLong = 0x3030_3859
    }

    /// The greatest number of bytes in the text of a code; a code of the greatest version has 2,953.
    private static let maximumText = 4096
    /// Two codes are too many, so that no more are told.
    private static let maximumCount = 2
    /// A picture whose longer side is at most this is also tried three times as large, with a margin.
    private static let (smallSide, scale, margin) = (680, 3, 24)

    private let makeImage: @convention(c) () -> Object?
    private let setFormat: @convention(c) (Object?, CUnsignedLong) -> Void
    private let setSize: @convention(c) (Object?, CUnsignedInt, CUnsignedInt) -> Void
    private let setData: @convention(c) (Object?, UnsafeRawPointer?, CUnsignedLong, Object?) -> Void
    private let makeScanner: @convention(c) () -> Object?
    private let configure: @convention(c) (Object?, CInt, CInt, CInt) -> CInt
    private let scan: @convention(c) (Object?, Object?) -> CInt
    private let firstSymbol: @convention(c) (Object?) -> Object?
    private let nextSymbol: @convention(c) (Object?) -> Object?
    private let data: @convention(c) (Object?) -> UnsafePointer<CChar>?
    private let length: @convention(c) (Object?) -> CUnsignedInt

    /// Loads the library; nil if it is not installed.
    init?() {
        guard let library = dlopen("libzbar.so.0", RTLD_NOW | RTLD_LOCAL) else { return nil }
        do throws(Missing) {
            makeImage = try function("zbar_image_create", of: library)
            setFormat = try function("zbar_image_set_format", of: library)
            setSize = try function("zbar_image_set_size", of: library)
            setData = try function("zbar_image_set_data", of: library)
            makeScanner = try function("zbar_image_scanner_create", of: library)
            configure = try function("zbar_image_scanner_set_config", of: library)
            scan = try function("zbar_scan_image", of: library)
            firstSymbol = try function("zbar_image_first_symbol", of: library)
            nextSymbol = try function("zbar_symbol_next", of: library)
            data = try function("zbar_symbol_get_data", of: library)
            length = try function("zbar_symbol_get_data_length", of: library)
        } catch {
            return nil
        }
    }

    /// Returns the texts of the different codes in a picture, at most two; nil if there is no memory.
    func texts(in pixels: OpaquePointer) -> [[UInt8]]? {
        guard let whole = GrayPicture(pixels) else { return nil }
        var texts = texts(in: whole)
        // Modules of one or two pixels at the edge are too small for the library.
        if texts?.isEmpty == true, max(whole.width, whole.height) <= Self.smallSide {
            texts = self.texts(in: whole.enlarged(Self.scale, margin: Self.margin))
        }
        return texts
    }

    private func texts(in picture: GrayPicture) -> [[UInt8]]? {
        guard let scanner = makeScanner(), let image = makeImage() else { return nil }
        // Other kinds of codes are no links with keys.
        _ = configure(scanner, Constant.anyKind, Constant.enable, 0)
        _ = configure(scanner, Constant.qr, Constant.enable, 1)
        _ = configure(scanner, Constant.qr, Constant.binary, 1)
        // Light on dark, as in dark windows.
        _ = configure(scanner, Constant.anyKind, Constant.testInverted, 1)
        setFormat(image, Constant.gray)
        setSize(image, CUnsignedInt(picture.width), CUnsignedInt(picture.height))
        return picture.bytes.withUnsafeBytes { bytes in
            setData(image, bytes.baseAddress, CUnsignedLong(bytes.count), nil)
            guard scan(scanner, image) >= 0 else { return nil }
            var (texts, symbol) = ([[UInt8]](), firstSymbol(image))
            while let found = symbol, texts.count < Self.maximumCount {
                let text = text(of: found)
                if !texts.contains(text) { texts.append(text) }
                symbol = nextSymbol(found)
            }
            return texts
        }
    }

    /// Returns the text of a code; empty if it is longer than any code can be.
    private func text(of symbol: Object) -> [UInt8] {
        let count = Int(length(symbol))
        guard let start = data(symbol), count <= Self.maximumText else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }
}

private struct Missing: Error {}

/// Returns a function of a library, whose type is that of its header.
private func function<Function>(
    _ name: String, of library: UnsafeMutableRawPointer
) throws(Missing) -> Function {
    guard let address = dlsym(library, name) else { throw Missing() }
    // The address is that of a function, whose type the caller has from the header.
    return unsafeBitCast(address, to: Function.self)
}

/// The brightness of the pixels of a picture, on white.
private struct GrayPicture {
    let width, height: Int
    let bytes: [UInt8]

    private init(width: Int, height: Int, bytes: [UInt8]) {
        (self.width, self.height, self.bytes) = (width, height, bytes)
    }

    init?(_ pixels: OpaquePointer) {
        guard let data = gdk_pixbuf_read_pixels(pixels) else { return nil }
        let (width, height) = (Int(gdk_pixbuf_get_width(pixels)), Int(gdk_pixbuf_get_height(pixels)))
        let (stride, channels) = (
            Int(gdk_pixbuf_get_rowstride(pixels)), Int(gdk_pixbuf_get_n_channels(pixels))
        )
        guard channels == 3 || channels == 4 else { return nil }
        (self.width, self.height) = (width, height)
        bytes = [UInt8](unsafeUninitializedCapacity: width * height) { target, count in
            for y in 0..<height {
                var pixel = data + y * stride
                for x in 0..<width {
                    let brightness = (Int(pixel[0]) * 77 + Int(pixel[1]) * 150 + Int(pixel[2]) * 29) >> 8
                    let alpha = channels == 4 ? Int(pixel[3]) : 255
                    target[y * width + x] = UInt8((brightness * alpha + 255 * (255 - alpha)) / 255)
                    pixel += channels
                }
            }
            count = width * height
        }
    }

    /// Returns the picture with larger pixels, and a white margin of some pixels.
    func enlarged(_ scale: Int, margin: Int) -> GrayPicture {
        let (wide, high) = (width * scale + 2 * margin, height * scale + 2 * margin)
        var result = [UInt8](repeating: 255, count: wide * high)
        for y in 0..<height * scale {
            let (from, to) = (y / scale * width, (y + margin) * wide + margin)
            for x in 0..<width * scale { result[to + x] = bytes[from + x / scale] }
        }
        return GrayPicture(width: wide, height: high, bytes: result)
    }
}
