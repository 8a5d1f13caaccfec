// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// Programs that nobody here wrote, which tests are made against.
public enum Peer {
    /// Makes sure that a program is there.
    ///
    /// - Throws: `MissingPeer`, for the test to skip itself by, or to fail where `isRequired`.
    public static func require(_ program: String, package: String) throws {
        let folders = ProcessInfo.processInfo.environment["PATH", default: "/usr/bin:/bin"].split(
            separator: ":")
        guard folders.contains(where: { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") })
        else {
            throw MissingPeer(name: program, package: package)
        }
    }

    /// Whether a missing peer is a failure, as it is under `make test`.
    public static var isRequired: Bool {
        ProcessInfo.processInfo.environment["TOUCHTONE_REQUIRE_PEERS"] == "1"
    }
}

/// A program that a test needs is not installed.
public struct MissingPeer: Error, CustomStringConvertible {
    let name: String
    let package: String

    /// A program or library, and the package of Debian's that it is in.
    public init(name: String, package: String) {
        self.name = name
        self.package = package
    }

    /// What to do about it.
    public var description: String { "\(name) is missing: install the package \(package)" }
}
