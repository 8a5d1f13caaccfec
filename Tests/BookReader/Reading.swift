// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import TouchtoneBooks
import TouchtoneCore

/// Reads a file of vCards, and reports the result, the time and the memory used.
@MainActor
final class Reading {
    private let vCards: VCardCoder
    private let clock = ContinuousClock()

    init(_ vCards: VCardCoder) { self.vCards = vCards }

    func run(_ path: String) async {
        guard let bytes = Self.bytes(of: path) else {
            perror(path)
            exit(1)
        }
        let before = Memory.maximum
        let start = clock.now
        do {
            let read = try await vCards.read(bytes)
            print("\(read.contacts.count) contacts, \(read.unreadable) unreadable, ", terminator: "")
            print("\(read.photosLeftOut) pictures left out")
        } catch { print(error) }
        let time = clock.now - start
        print("\(time.formatted), \(Memory.maximum - before) KiB more than the file")
        exit(0)
    }

    private static func bytes(of path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        let size = max(0, ftell(file))
        rewind(file)
        return [UInt8](unsafeUninitializedCapacity: size) { $1 = fread($0.baseAddress, 1, size, file) }
    }
}

/// The memory of this process.
enum Memory {
    /// The maximum resident size, in KiB.
    static var maximum: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
    }
}

extension Duration {
    /// The duration in milliseconds.
    var formatted: String {
        let (seconds, attoseconds) = components
        return "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000) ms"
    }
}
