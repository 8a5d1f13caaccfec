// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// Independent programs against which the tests are run.
public enum Peer {
    /// Requires that a program is installed, in `PATH` or with the servers in /usr/sbin.
    ///
    /// - Throws: `MissingPeer`, on which the test skips itself, or fails if `isRequired`.
    public static func require(_ program: String, package: String) throws {
        let folders = ProcessInfo.processInfo.environment["PATH", default: "/usr/bin:/bin"].split(
            separator: ":")
        guard
            (folders + ["/usr/sbin"]).contains(where: {
                FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
            })
        else {
            throw MissingPeer(name: program, package: package)
        }
    }

    /// Whether a missing peer is a failure, as it is under `make test`.
    public static var isRequired: Bool {
        ProcessInfo.processInfo.environment["TOUCHTONE_REQUIRE_PEERS"] == "1"
    }
}

/// A program that a test needs and that is not installed.
public struct MissingPeer: Error, CustomStringConvertible {
    let name: String
    let package: String

    /// Creates an error that names a program or library and its Debian package.
    public init(name: String, package: String) {
        self.name = name
        self.package = package
    }

    /// The instruction for installing the program.
    public var description: String { "\(name) is missing: install the package \(package)" }
}
