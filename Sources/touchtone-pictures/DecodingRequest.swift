// SPDX-License-Identifier: GPL-3.0-or-later

/// The task of the process: the arguments of the program.
struct DecodingRequest {
    /// The result: the pixels within a square of `side` pixels, the middle as a square of that size, a new file whose longer
    /// side has at most `side` pixels, or the texts of the QR codes that are found in a picture of that size.
    enum Result: String {
        case fit, square, jpeg, png, codes
    }

    /// GdkPixbuf's name of the format.
    let format: String
    let result: Result
    /// The size that the file states, in pixels.
    let width, height: Int
    /// The orientation of Exif, from 1 to 8.
    let orientation: Int
    let side: Int

    /// Parses `FORMAT RESULT WIDTH HEIGHT ORIENTATION SIDE`.
    init?(_ arguments: ArraySlice<String>) {
        let words = Array(arguments)
        guard words.count == 6, let result = Result(rawValue: words[1]) else { return nil }
        let numbers = words[2...].compactMap { Int($0) }
        guard numbers.count == 4, numbers.allSatisfy({ $0 > 0 && $0 <= 1 << 20 }),
            numbers[0] * numbers[1] <= 1 << 28, numbers[2] <= 8
        else { return nil }
        (format, self.result) = (words[0], result)
        (width, height, orientation, side) = (numbers[0], numbers[1], numbers[2], numbers[3])
    }
}
