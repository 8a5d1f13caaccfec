// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

/// The stored form of the reason why a call ended.
///
/// The numbers never change; any other one is read as `failed`, so that one flipped bit does not lose the entry.
struct StoredEndReason: Hashable, Sendable {
    let number: Int64
    var name: String?
    var reason: String?

    init(number: Int64, name: String?, reason: String?) {
        (self.number, self.name, self.reason) = (number, name, reason)
    }

    init(_ endReason: CallEndReason) {
        switch endReason {
        case .failed(let reason): self.init(number: 0, name: nil, reason: reason)
        case .hungUp: self.init(number: 1)
        case .farEnd: self.init(number: 2)
        case .busy: self.init(number: 3)
        case .declined: self.init(number: 4)
        case .noAnswer: self.init(number: 5)
        case .noSuchNumber: self.init(number: 6)
        case .network: self.init(number: 7)
        case .handedOver(let name): self.init(number: 8, name: name, reason: nil)
        case .noTelHandler: self.init(number: 9)
        case .handlerFailed(let name, let reason): self.init(number: 10, name: name, reason: reason)
        case .transferred: self.init(number: 11)
        case .answeredElsewhere: self.init(number: 12)
        case .notAvailable: self.init(number: 13)
        case .connectionLost: self.init(number: 14)
        case .blocked: self.init(number: 15)
        case .diverted: self.init(number: 16)
        }
    }

    private init(number: Int64) { self.init(number: number, name: nil, reason: nil) }

    var endReason: CallEndReason {
        switch number {
        case 1: .hungUp
        case 2: .farEnd
        case 3: .busy
        case 4: .declined
        case 5: .noAnswer
        case 6: .noSuchNumber
        case 7: .network
        case 8: .handedOver(to: name ?? "")
        case 9: .noTelHandler
        case 10: .handlerFailed(name: name ?? "", reason: reason ?? "")
        case 11: .transferred
        case 12: .answeredElsewhere
        case 13: .notAvailable
        case 14: .connectionLost
        case 15: .blocked
        case 16: .diverted
        default: .failed(reason ?? "")
        }
    }
}
