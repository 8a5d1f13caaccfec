// SPDX-License-Identifier: GPL-3.0-or-later

@testable import TouchtoneXMPP

/// A DNS lookup with fixed answers.
final class FakeLookup: ServiceLookup {
    var answer: [ServiceRecord]?

    init(_ answer: [ServiceRecord]? = nil) { self.answer = answer }

    func records(of domain: String) async -> [ServiceRecord]? { answer }
}
