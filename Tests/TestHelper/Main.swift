// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import HelperMessages
import HelperSupport
import TestHelperMessages

/// The program of `Scribe`.
@main
enum Main {
    private static let maximumDescriptors: Int32 = 32

    static func main() {
        guard let phone = PhoneConnection<Scribe>() else { exit(2) }
        let note = noteDescriptor()
        EndSignals.handle()
        Confinement.enforce(readable: ["/usr"], writable: [], maximumDescriptors: maximumDescriptors) { _ in }
        var name = ""
        repeat {
            wait(for: phone)
        } while phone.receive(
            start: {
                name = $0.name
                return true
            },
            execute: { command, file in
                switch command {
                case .say(let text): phone.send(.said(text, by: name))
                case .write(let text): phone.send(write(text, to: file))
                case .count: phone.send(.counted(openDescriptors))
                case .read(let path): phone.send(.read(path: path, isAllowed: canRead(path)))
                case .note(var number): if let note { pwrite(note, &number, 8, 0) }
                case .die: exit(1)
                case .hang: while true { pause() }
                }
            })
    }

    /// Sends waiting events, until there is something to receive.
    private static func wait(for phone: PhoneConnection<Scribe>) {
        var polled = pollfd(fd: phone.descriptor, events: 0, revents: 0)
        repeat {
            phone.flush()
            polled.events = Int16(phone.hasUnsent ? POLLIN | POLLOUT : POLLIN)
            poll(&polled, 1, -1)
        } while polled.revents & Int16(POLLIN | POLLHUP | POLLERR) == 0
    }

    private static func write(_ text: String, to file: PassedDescriptor?) -> Scribe.Event {
        guard let file else { return .wrote(text, hasFile: false, isInherited: false) }
        _ = Glibc.write(file.number, text, text.utf8.count)
        return .wrote(text, hasFile: true, isInherited: fcntl(file.number, F_GETFD) & FD_CLOEXEC == 0)
    }

    private static var openDescriptors: Int {
        (0..<maximumDescriptors).count { fcntl($0, F_GETFD) >= 0 }
    }

    private static func canRead(_ path: String) -> Bool {
        let file = open(path, O_RDONLY)
        return file >= 0 && close(file) == 0
    }
}
