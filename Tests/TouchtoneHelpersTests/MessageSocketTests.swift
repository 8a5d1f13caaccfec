// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import HelperMessages
import TestHelperMessages
import TestSupport
import Testing

/// Tests of both ends of a connection, and of an end that follows no rules.
@Suite struct MessageSocketTests {
    private typealias Sender = MessageSocket<Scribe.Command, Scribe.Event>
    private typealias Receiver = MessageSocket<Scribe.Event, Scribe.Command>

    private let ends: (Int32, Int32)
    private let file: WatchedFile

    init() throws {
        var pair: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        ends = (pair[0], pair[1])
        file = try WatchedFile()
    }

    private func sender() throws -> Sender {
        try #require(Sender(owning: ends.0, takesDescriptors: false))
    }

    private func receiver(takesDescriptors: Bool = true) throws -> Receiver {
        try #require(Receiver(owning: ends.1, takesDescriptors: takesDescriptors))
    }

    /// Through a socket that takes little at once, each file arrives with the message with which it was sent.
    @Test(arguments: Seeds.all) func filesArriveWithTheirMessages(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (sender, receiver) = (try sender(), try receiver())
        var size: Int32 = 1
        setsockopt(ends.0, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout.size(ofValue: size)))
        var (sent, arrived) = (0, 0)
        var files: [Int: WatchedFile] = [:]
        while arrived < 300 {
            if sent < 300, Bool.random(using: &random) {
                let text = String(
                    repeating: "x", count: Int.random(in: 0...20, using: &random) == 0 ? 9_000 : sent % 60)
                files[sent] = Bool.random(using: &random) ? try WatchedFile() : nil
                #expect(sender.send(.write(text + "\(sent)"), with: files[sent]?.open()))
                sent += 1
            }
            if Bool.random(using: &random) { sender.flush() }
            guard Bool.random(using: &random) else { continue }
            for (message, descriptor) in try #require(receiver.receive()) {
                guard case .write(let text)? = message else {
                    Issue.record("not what was sent")
                    return
                }
                #expect(text.hasSuffix("\(arrived)"))
                #expect((descriptor != nil) == (files[arrived] != nil))
                if let descriptor {
                    _ = write(descriptor.number, text, text.utf8.count)
                    #expect(fcntl(descriptor.number, F_GETFD) & FD_CLOEXEC != 0, "no program inherits it")
                    #expect(files[arrived]?.text == text)
                }
                arrived += 1
            }
        }
        #expect(!sender.hasUnsent && files.values.allSatisfy { $0.openCount == 0 })
    }

    @Test func fileIsOpenUntilItIsSent() throws {
        let (sender, receiver) = (try sender(), try receiver())
        sender.send(.write("x"), with: file.open())
        #expect(file.openCount == 1 && sender.hasUnsent)
        sender.flush()
        #expect(file.openCount == 0, "it is on its way")
        let messages = try #require(receiver.receive())
        #expect(messages.map(\.message) == [.write("x")] && file.openCount == 1)
    }

    @Test func unsentFilesAreClosedWithTheConnection() throws {
        var sender: Sender? = try sender()
        for _ in 0..<100 { sender?.send(.write("x"), with: file.open()) }
        #expect(file.openCount == 100)
        sender = nil
        #expect(file.openCount == 0)
        let receiver = try receiver()
        #expect(receiver.receive() == nil, "the end")
    }

    @Test func nothingWaitsForAnEndThatHasGone() throws {
        let sender = try sender()
        close(ends.1)
        sender.send(.write("x"), with: file.open())
        sender.flush()
        #expect(!sender.hasUnsent && file.openCount == 0 && sender.receive() == nil)
    }

    @Test func endThatDoesNotReadGetsBoundedMessages() throws {
        let sender = try sender()
        let text = String(repeating: "x", count: 60_000)
        var count = 0
        while sender.send(.write(text), with: file.open()) {
            sender.flush()
            count += 1
            try #require(count < 200)
        }
        #expect(sender.isFull && count > 10)
        // The message that was refused took its file with it.
        let waiting = file.openCount
        #expect(!sender.send(.count) && file.openCount == waiting)
        close(ends.1)
        sender.flush()
        #expect(file.openCount == 0 && !sender.isFull)
    }

    @Test func tooLongMessageTakesItsFileWithIt() throws {
        let sender = try sender()
        #expect(!sender.send(.write(String(repeating: "x", count: 70_000)), with: file.open()))
        #expect(!sender.isFull && !sender.hasUnsent && file.openCount == 0)
        close(ends.1)
    }

    @Test func otherDescriptorsAreNotTaken() throws {
        var pipes: [Int32] = [-1, -1]
        try #require(pipe(&pipes) == 0)
        #expect(Sender(owning: pipes[0], takesDescriptors: false) == nil)
        #expect(close(pipes[0]) == 0 && close(pipes[1]) == 0, "they are still open")
        for end in [ends.0, ends.1] { close(end) }
    }

    /// An end without rules sends bytes, each with a number of descriptors.
    @Test(arguments: [
        // In front of and behind the end of a line.
        (["cou", "nt\n"], [1, 0]), (["count", "\n"], [0, 253]),
        (["count\nc", "ount\n"], [1, 0]),
        // Several with a line.
        (["count\n"], [2]), (["count\n"], [253]),
        (["count\n", "count\n"], [253, 100]),
    ])
    func otherFilesAreClosed(pieces: [String], counts: [Int]) throws {
        let receiver = try receiver()
        for _ in 0..<50 {
            for (piece, count) in zip(pieces, counts) { pass(count, with: piece) }
            var commands = 0
            let expected = pieces.joined().utf8.count { $0 == UInt8(ascii: "\n") }
            while commands < expected {
                for (message, descriptor) in try #require(receiver.receive()) {
                    #expect(message == .count && descriptor == nil)
                    commands += 1
                }
            }
            #expect(file.openCount == 0)
        }
        close(ends.0)
    }

    @Test func fileWithUnknownMessageGoesWithIt() throws {
        let receiver = try receiver()
        for line in ["nonsense\n", "unknown\n", "\n"] {
            pass(1, with: line)
            do {
                let messages = try #require(receiver.receive())
                #expect(messages.count == 1 && messages[0].message == nil && messages[0].descriptor != nil)
            }
            #expect(file.openCount == 0)
        }
        close(ends.0)
    }

    @Test func fileWithEndlessLineIsClosed() throws {
        let receiver = try receiver()
        let long = String(repeating: "x", count: 30_000)
        for _ in 0..<3 {
            pass(1, with: long)
            #expect(receiver.receive()?.isEmpty == true)
        }
        pass(1, with: "\n")
        #expect(receiver.receive()?.isEmpty == true && file.openCount == 0)
        pass(1, with: "count\n")
        #expect(receiver.receive()?.map(\.message) == [.count])
        close(ends.0)
    }

    /// The phone takes none from a helper.
    @Test func filesAreNotTakenByAnEndThatExpectsNone() throws {
        let receiver = try receiver(takesDescriptors: false)
        for count in [1, 2, 253] {
            for _ in 0..<20 { pass(count, with: "count\n") }
            var commands = 0
            while commands < 20 {
                for (message, descriptor) in try #require(receiver.receive()) {
                    #expect(message == .count && descriptor == nil)
                    commands += 1
                }
            }
            #expect(file.openCount == 0)
        }
        close(ends.0)
    }

    /// Sends bytes with a number of descriptors of the file (SCM_RIGHTS).
    private func pass(_ count: Int, with text: String) {
        let descriptor = file.open()
        let header = MemoryLayout<cmsghdr>.size
        let length = header + count * MemoryLayout<Int32>.size
        var control = [UInt8](repeating: 0, count: (length + 7) & ~7)
        control.withUnsafeMutableBytes { control in
            control.storeBytes(of: length, as: Int.self)
            control.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
            control.storeBytes(of: 1, toByteOffset: 12, as: Int32.self)
            for index in 0..<count {
                control.storeBytes(of: descriptor.number, toByteOffset: header + index * 4, as: Int32.self)
            }
        }
        var bytes = Array(text.utf8)
        let sent = bytes.withUnsafeMutableBytes { bytes in
            control.withUnsafeMutableBytes { control in
                var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    (message.msg_iov, message.msg_iovlen) = (part, 1)
                    if count > 0 {
                        (message.msg_control, message.msg_controllen) = (control.baseAddress, control.count)
                    }
                    return sendmsg(ends.0, &message, 0)
                }
            }
        }
        #expect(sent == bytes.count)
    }
}
