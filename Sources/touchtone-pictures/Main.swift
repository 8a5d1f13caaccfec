// SPDX-License-Identifier: GPL-3.0-or-later

internal import CPixbuf
internal import DecoderSupport
internal import Glibc

/// The program that decodes one untrusted picture, and ends.
///
/// The phone starts it for each picture with `DecodingRequest`'s arguments, the file as standard input, and reads the
/// pixels, the new file or the texts of codes from its standard output. A file that takes too much memory or time, or breaks the decoder,
/// ends only this process.
@main
enum Main {
    /// The memory for the libraries and buffers, in bytes.
    private static let memory = 160 << 20
    /// The copies of the pixels that decoding, turning and scaling take at once, four bytes a pixel.
    private static let copies = 3

    static func main() {
        guard let request = DecodingRequest(CommandLine.arguments.dropFirst()) else { exit(2) }
        DecoderLimits.closeInheritedFiles()
        DecoderLimits.set(
            memory: memory + request.width * request.height * 4 * copies, processorTime: 10)
        DecoderLimits.set(time: 20)
        guard let loader = gdk_pixbuf_loader_new_with_type(request.format, nil) else { exit(3) }
        let finder = request.result == .codes ? CodeFinder() : nil
        // The loader of the format has been opened, so nothing else needs to be.
        DecoderLimits.confine()
        guard let pixels = Decoding.pixels(loader, request),
            let result = Decoding.result(pixels, request, finder),
            result.withUnsafeBytes({ DecoderOutput.write($0) })
        else { exit(1) }
    }
}
