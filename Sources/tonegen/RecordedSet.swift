// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import TouchtoneAudio
import TouchtoneCore

/// The recorded tone set that comes with the phone.
struct RecordedSet {
    private static let rate = 48_000

    /// Writes a file for each key into the folder, which is made if it is not there.
    func write(to folder: String) throws(Complaint) {
        try makeFolder(folder)
        for key in DTMFKey.allCases {
            let samples = KeyToneScore([key]).samples(rate: Self.rate)
            try write(WAVFile(samples: samples, rate: Self.rate).bytes, to: "\(folder)/\(key.fileName)")
        }
    }

    private func makeFolder(_ path: String) throws(Complaint) {
        var parents = path.split(separator: "/", omittingEmptySubsequences: true)
        parents.removeLast(min(1, parents.count))
        var parent = path.hasPrefix("/") ? "/" : ""
        for name in parents {
            parent += name + "/"
            _ = mkdir(parent, 0o777)
        }
        guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
        throw Complaint("cannot make the folder “\(path)”: \(Self.reason)")
    }

    private func write(_ bytes: [UInt8], to path: String) throws(Complaint) {
        guard let file = fopen(path, "wbe") else {
            throw Complaint("cannot write “\(path)”: \(Self.reason)")
        }
        let written = fwrite(bytes, 1, bytes.count, file)
        // A full disk may show as late as here.
        guard fclose(file) == 0, written == bytes.count else {
            throw Complaint("cannot write “\(path)”: \(Self.reason)")
        }
    }

    /// The system's words for what just failed.
    private static var reason: String { String(cString: strerror(errno)) }
}
