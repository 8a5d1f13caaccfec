// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import XCTest

@testable import TouchtoneStore

final class Argon2idTests: XCTestCase {
    private let hash = Argon2id()

    func testHashMatchesOnlyItsPassword() throws {
        let made = try XCTUnwrap(hash.make(Self.digits("1234")))
        XCTAssertEqual(hash.matches(made, Self.digits("1234")), true)
        for other in ["1235", "0234", "123", "12345"] {
            XCTAssertEqual(hash.matches(made, Self.digits(other)), false, other)
        }
        XCTAssertNotEqual(made, hash.make(Self.digits("1234")), "each has a salt of its own")
        XCTAssertEqual(HashCost(of: made)?.memory, 65_536)
        XCTAssertEqual(HashCost(of: made)?.passes, 2)
    }

    /// A hash of the same format from a different program: PyNaCl, which has its own build of the library.
    func testHashFromOtherProgramIsAccepted() throws {
        let script = "import nacl.pwhash.argon2id as a; print(a.str(b'4711').decode(), end='')"
        guard let made = try? output(of: ["/usr/bin/python3", "-c", script]) else {
            let missing = MissingPeer(name: "PyNaCl", package: "python3-nacl")
            if Peer.isRequired { throw missing }
            throw XCTSkip("\(missing)")
        }
        XCTAssertEqual(hash.matches(made, Self.digits("4711")), true)
        XCTAssertEqual(hash.matches(made, Self.digits("4712")), false)
    }

    func testInvalidHashMatchesNothing() {
        for text in ["", "$argon2id$", "$argon2id$v=19$m=65536,t=2,p=1$c2FsdA$aGFzaA", "x"] {
            XCTAssertEqual(hash.matches(text, Self.digits("1234")), false, text)
        }
    }

    private static func digits(_ text: String) -> [CChar] { text.utf8.map { CChar($0) } }
}
