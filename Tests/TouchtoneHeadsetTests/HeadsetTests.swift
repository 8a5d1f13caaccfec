// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import ChatTestSupport
import Foundation
import GLibBridge
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneHeadset

/// Tests of headsets whose device is a terminal that the test operates, and whose description is in a folder of its own.
@Suite(.serialized) @MainActor struct HeadsetTests {
    @Test func hookSwitchAnswersAndHangsUpAndLampsFollow() async throws {
        let fixture = try HeadsetFixture()
        let device = try fixture.plug("hidraw0", Descriptors.headset)
        fixture.headset.isOn = true
        try await fixture.wait { fixture.headset.count == 1 }
        fixture.line.offer("1")
        try await device.expect([3, 0b010], fixture)
        try await device.send([2, 1], fixture)
        try await fixture.wait { fixture.calls.current?.state == .connected }
        try await device.expect([3, 0b001], fixture)
        try await device.send([2, 0b011], fixture)
        try await fixture.wait { fixture.calls.current?.isMuted == true }
        try await device.expect([3, 0b101], fixture)
        try await device.send([2, 0b001], fixture)
        try await device.send([2, 0], fixture)
        try await fixture.wait { fixture.calls.calls.isEmpty }
        try await device.expect([3, 0], fixture)
    }

    @Test func headsetNeverDials() async throws {
        let fixture = try HeadsetFixture()
        let (device, keys) = (
            try fixture.plug("hidraw0", Descriptors.headset), try fixture.plugInput("event3")
        )
        fixture.headset.isOn = true
        try await fixture.wait { fixture.headset.count == 2 }
        fixture.phone.paste("5551234")
        try await device.send([2, 1], fixture)
        try await device.send([2, 0], fixture)
        try await device.send([2, 0b110], fixture)
        try await keys.send(Descriptors.event(169, 1), fixture)
        // What comes last shows that all was read.
        fixture.line.offer("1")
        try await keys.send(Descriptors.event(169, 1), fixture)
        try await fixture.wait { fixture.calls.current?.state == .connected }
        #expect(fixture.line.dialled == 0 && fixture.calls.calls.count == 1)
    }

    @Test func keyOfInputDeviceAnswersMutesAndHangsUp() async throws {
        let fixture = try HeadsetFixture()
        fixture.headset.isOn = true
        // It comes while the phone runs.
        let keys = try fixture.plugInput("event3")
        try await fixture.wait { fixture.headset.count == 1 }
        fixture.line.offer("1")
        try await keys.send(Descriptors.event(169, 1) + Descriptors.event(169, 0), fixture)
        try await fixture.wait { fixture.calls.current?.state == .connected }
        try await keys.send(Descriptors.event(248, 1) + Descriptors.event(248, 0), fixture)
        try await fixture.wait { fixture.calls.current?.isMuted == true }
        try await keys.send(Descriptors.event(169, 1), fixture)
        try await fixture.wait { fixture.calls.calls.isEmpty }
        fixture.phone.paste("5551234")
        fixture.phone.dial()
        fixture.line.last?.onEvent?(.answered)
        fixture.line.offer("2")
        try await keys.send(Descriptors.event(169, 1), fixture)
        try await fixture.wait { fixture.calls.calls.map(\.state) == [.held, .connected] }
    }

    @Test func lampThatGoesOutDeclinesNobody() async throws {
        let fixture = try HeadsetFixture()
        let device = try fixture.plug("hidraw0", Descriptors.headset)
        fixture.headset.isOn = true
        try await fixture.wait { fixture.headset.count == 1 }
        fixture.line.offer("1")
        try await device.send([2, 1], fixture)
        try await fixture.wait { fixture.calls.current?.state == .connected }
        fixture.line.last?.onEvent?(.ended(.farEnd))
        fixture.line.offer("2")
        // The device says that it is on the hook again, as its lamp says.
        try await device.send([2, 0], fixture)
        try await device.send([2, 1], fixture)
        try await fixture.wait { fixture.calls.current?.state == .connected }
        #expect(fixture.calls.current?.remote.number.text == "2")
    }

    /// A device says that it is off the hook because its lamp was lit: the user has answered one call, and no other.
    @Test func lampThatIsLitAnswersNobody() async throws {
        let fixture = try HeadsetFixture()
        let device = try fixture.plug("hidraw0", Descriptors.headset)
        fixture.headset.isOn = true
        try await fixture.wait { fixture.headset.count == 1 }
        fixture.line.offer("1")
        fixture.phone.answer()
        try await device.expect([3, 0b001], fixture)
        fixture.line.offer("2")
        try await device.send([2, 1], fixture)
        // What comes last shows that all was read.
        try await device.send([2, 0b011], fixture)
        try await fixture.wait { fixture.calls.current?.isMuted == true }
        #expect(fixture.calls.current?.remote.number.text == "1")
        #expect(fixture.calls.incoming?.remote.number.text == "2")
        // The key hangs up all the same.
        try await device.send([2, 0], fixture)
        try await fixture.wait { fixture.calls.current == nil }
    }

    /// The arm of a microphone says where it is, so that each of its two places means one thing.
    @Test func switchOfMicrophoneMutesAndUnmutes() async throws {
        let fixture = try HeadsetFixture()
        let device = try fixture.plug("hidraw0", Descriptors.arm)
        fixture.headset.isOn = true
        try await fixture.wait { fixture.headset.count == 1 }
        fixture.line.offer("1")
        try await device.send([1], fixture)
        try await fixture.wait { fixture.calls.current?.state == .connected }
        for _ in 0..<2 {
            try await device.send([0b11], fixture)
            try await fixture.wait { fixture.calls.current?.isMuted == true }
            try await device.send([1], fixture)
            try await fixture.wait { fixture.calls.current?.isMuted == false }
        }
        // Muted in the window, too.
        fixture.phone.press(.mute)
        try await device.send([0b11], fixture)
        try await device.send([1], fixture)
        try await fixture.wait { fixture.calls.current?.isMuted == false }
    }

    @Test func devicesComeAndGoAndStrangeOnesAreLeftAlone() async throws {
        let fixture = try HeadsetFixture()
        let keyboard = try fixture.plug("hidraw1", [0x05, 0x07, 0x09, 0x04, 0x75, 1, 0x95, 1, 0x81, 2])
        let broken = try fixture.plug("hidraw2", Descriptors.headset + [0xFE])
        fixture.headset.isOn = true
        let device = try fixture.plug("hidraw0", Descriptors.simple)
        try await fixture.wait { fixture.headset.count == 1 }
        // The others are not even open.
        for other in [keyboard, broken] { #expect(!other.isOpen) }
        fixture.line.offer("1")
        try await device.expect([0, 2], fixture)
        try await device.send([1], fixture)
        try await fixture.wait { fixture.calls.current?.state == .connected }
        fixture.unplug("hidraw0", device)
        try await fixture.wait { fixture.headset.count == 0 }
        #expect(fixture.calls.current?.state == .connected, "the call goes on")
        let again = try fixture.plug("hidraw0", Descriptors.simple)
        try await again.expect([0, 1], fixture)
        fixture.headset.isOn = false
        #expect(fixture.headset.count == 0)
    }

    /// The notice of the new device and the end of the old one reach the main loop together.
    @Test(arguments: [1, 3]) func deviceThatIsPluggedInAgainAtOnceIsUsed(times: Int) async throws {
        let fixture = try HeadsetFixture()
        var (device, keys) = (
            try fixture.plug("hidraw0", Descriptors.headset), try fixture.plugInput("event3")
        )
        fixture.headset.isOn = true
        try await fixture.wait { fixture.headset.count == 2 }
        for _ in 0..<times {
            fixture.unplug("hidraw0", device)
            device = try fixture.plug("hidraw0", Descriptors.headset)
            fixture.unplugInput("event3", keys)
            keys = try fixture.plugInput("event3")
        }
        try await fixture.wait { device.isOpen && keys.isOpen }
        fixture.line.offer("1")
        try await device.expect([3, 0b010], fixture)
        try await keys.send(Descriptors.event(169, 1), fixture)
        try await fixture.wait { fixture.calls.current?.state == .connected }
        #expect(fixture.headset.count == 2)
    }

    /// It goes while it is being opened, and another one comes: the opening fails, or has the old one.
    @Test func deviceThatIsReplacedWhileItIsOpenedIsUsed() async throws {
        let fixture = try HeadsetFixture()
        let old = try fixture.plug("hidraw0", Descriptors.headset)
        fixture.headset.isOn = true
        fixture.unplug("hidraw0", old)
        let device = try fixture.plug("hidraw0", Descriptors.headset)
        try await fixture.wait { device.isOpen && fixture.headset.count == 1 }
        fixture.line.offer("1")
        try await device.expect([3, 0b010], fixture)
    }

    /// A device that is gone as soon as it is opened is opened once for each notice of it.
    @Test func brokenDeviceIsNotOpenedForEver() async throws {
        let fixture = try HeadsetFixture()
        let first = try fixture.plug("hidraw0", Descriptors.headset)
        let second = try fixture.plug("hidraw1", Descriptors.headset)
        fixture.headset.isOn = true
        try await fixture.wait { fixture.headset.count == 2 }
        fixture.unplug("hidraw0", first)
        let broken = try fixture.plugBroken("hidraw0", Descriptors.headset)
        try await fixture.wait { broken.openings == 1 && fixture.headset.count == 1 }
        // The phone goes on. Lamps are lit by the thread that opens devices, one after the other.
        for call in ["1", "2", "3"] {
            fixture.line.offer(call)
            try await second.expect([3, 0b010], fixture)
            fixture.line.last?.onEvent?(.ended(.farEnd))
            try await second.expect([3, 0], fixture)
        }
        try await fixture.wait { fixture.headset.count == 1 }
        #expect(broken.openings == 1)
    }

    @Test func floodOfKeysIsBounded() async throws {
        let fixture = try HeadsetFixture()
        let keys = try fixture.plugInput("event3")
        fixture.headset.isOn = true
        try await fixture.wait { fixture.headset.count == 1 }
        fixture.phone.paste("5551234")
        fixture.phone.dial()
        fixture.line.last?.onEvent?(.answered)
        let flood = (0..<80).flatMap { _ in Descriptors.event(248, 1) }
        try await keys.send(flood, fixture)
        try await keys.send(Descriptors.event(169, 1), fixture)
        try await fixture.wait { fixture.calls.calls.isEmpty || fixture.line.mutes >= 8 }
        #expect(fixture.line.mutes <= 40)
    }
}

/// A phone with a headset, in folders of the test's own.
@MainActor
private final class HeadsetFixture {
    let line = TalkingLine()
    let phone: Phone
    let headset: Headset
    private let lines: LineRegistry
    private let root: String

    init() throws {
        root = try TemporaryFolders.make("touchtone-headset")
        lines = LineRegistry(fallback: line)
        phone = Phone(
            tones: Silence(), formatter: NumberFormatter(), clock: ManualScheduler(), line: line)
        phone.calls.acceptCalls(from: lines)
        for folder in ["dev/input", "sys/class/hidraw", "sys/class/input"] {
            try FileManager.default.createDirectory(
                atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
        }
        headset = Headset(
            phone, HeadsetDevices.Folders(devices: "\(root)/dev", system: "\(root)/sys"))
    }

    var calls: CallManager { phone.calls }

    func plug(_ name: String, _ descriptor: [UInt8]) throws -> Terminal {
        try plug("dev/\(name)", described: "sys/class/hidraw/\(name)/device/report_descriptor", descriptor)
    }

    func plugInput(_ name: String) throws -> Terminal {
        try plug(
            "dev/input/\(name)", described: "sys/class/input/\(name)/device/capabilities/key",
            Array("100000000000000 20000000000 0 0\n".utf8))
    }

    private func plug(_ node: String, described file: String, _ content: [UInt8]) throws -> Terminal {
        try describe(file, content)
        let terminal = try Terminal()
        try FileManager.default.createSymbolicLink(
            atPath: "\(root)/\(node)", withDestinationPath: terminal.path)
        return terminal
    }

    private func describe(_ file: String, _ content: [UInt8]) throws {
        let path = URL(fileURLWithPath: "\(root)/\(file)")
        try FileManager.default.createDirectory(
            at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(content).write(to: path)
    }

    /// Plugs in a device that can be opened, and is gone at once.
    func plugBroken(_ name: String, _ descriptor: [UInt8]) throws -> EmptyDevice {
        try describe("sys/class/hidraw/\(name)/device/report_descriptor", descriptor)
        let device = try EmptyDevice("\(root)/empty")
        try FileManager.default.createSymbolicLink(
            atPath: "\(root)/dev/\(name)", withDestinationPath: device.path)
        return device
    }

    func unplug(_ name: String, _ terminal: Terminal) {
        unplug(["dev/\(name)", "sys/class/hidraw/\(name)"], terminal)
    }

    func unplugInput(_ name: String, _ terminal: Terminal) {
        unplug(["dev/input/\(name)", "sys/class/input/\(name)"], terminal)
    }

    private func unplug(_ paths: [String], _ terminal: Terminal) {
        for path in paths {
            try? FileManager.default.removeItem(atPath: "\(root)/\(path)")
        }
        terminal.end()
    }

    /// Runs the main loop and the tasks of the main actor until a condition holds.
    func wait(_ location: SourceLocation = #_sourceLocation, until condition: () -> Bool) async throws {
        let limit = ContinuousClock.now + .seconds(30)
        while !condition() {
            try #require(ContinuousClock.now < limit, "waited in vain", sourceLocation: location)
            while g_main_context_iteration(nil, 0) != 0 {}
            await Task.yield()
        }
    }
}

/// A terminal, which stands for a device: what the test sends is what the device reports.
@MainActor
private final class Terminal {
    let path: String
    private var descriptor: Int32
    /// The end that the phone opens too; without it, a terminal would forget that it is none of letters.
    private var other: Int32 = -1
    private var received: [UInt8] = []

    init() throws {
        var own: Int32 = -1
        var other: Int32 = -1
        var name = [CChar](repeating: 0, count: 128)
        guard openpty(&own, &other, &name, nil, nil) == 0 else { throw CocoaError(.fileReadUnknown) }
        (descriptor, self.other) = (own, other)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var settings = termios()
        tcgetattr(descriptor, &settings)
        cfmakeraw(&settings)
        tcsetattr(descriptor, TCSANOW, &settings)
    }

    /// Sends a report, and waits until the phone has read it: a terminal would join it with the next one.
    func send(
        _ report: [UInt8], _ fixture: HeadsetFixture, _ location: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(write(descriptor, report, report.count) == report.count)
        #expect(isReadable(within: 10_000), sourceLocation: location)
        try await fixture.wait(location) { !isReadable(within: 0) }
    }

    private func isReadable(within milliseconds: Int32) -> Bool {
        var wanted = pollfd(fd: other, events: Int16(POLLIN), revents: 0)
        return poll(&wanted, 1, milliseconds) == 1
    }

    /// Waits until the last report that the phone has written is this one.
    func expect(
        _ report: [UInt8], _ fixture: HeadsetFixture, _ location: SourceLocation = #_sourceLocation
    ) async throws {
        try await fixture.wait(location) {
            receive()
            return received.suffix(report.count) == report[...]
        }
    }

    /// Whether the phone has it open too.
    var isOpen: Bool {
        let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return open.count {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
        } > 1
    }

    func end() {
        close(other)
        close(descriptor)
        (descriptor, other) = (-1, -1)
    }

    private func receive() {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &buffer, buffer.count)
        if count > 0 { received += buffer.prefix(count) }
    }

    isolated deinit { if descriptor >= 0 { end() } }
}

/// A file without contents, which stands for a device that is gone as soon as it is opened.
@MainActor
private final class EmptyDevice {
    let path: String
    private let notices = inotify_init1(Int32(IN_NONBLOCK))
    private var count = 0

    init(_ path: String) throws {
        self.path = path
        try Data().write(to: URL(fileURLWithPath: path))
        // A notice that is the same as the last one is dropped, so the ends are told, too.
        guard inotify_add_watch(notices, path, UInt32(IN_OPEN | IN_CLOSE)) >= 0 else {
            throw CocoaError(.fileReadUnknown)
        }
    }

    /// The number of times that it was opened.
    var openings: Int {
        var notice = inotify_event()
        // Notices of a file have no name.
        while read(notices, &notice, MemoryLayout<inotify_event>.size) > 0 {
            if notice.mask & UInt32(IN_OPEN) != 0 { count += 1 }
        }
        return count
    }

    isolated deinit { close(notices) }
}

/// A line whose calls the test controls.
@MainActor
private final class TalkingLine: Line {
    let id = "talking"
    let label = "LINE"
    let state = LineState.available
    var onEvent: ((LineEvent) -> Void)?
    private(set) var dialled = 0
    private(set) var last: TalkingCall?
    var mutes = 0

    func dial(_ remote: RemoteParty) -> any LineCall {
        dialled += 1
        return make(remote)
    }

    func offer(_ number: String) {
        onEvent?(.incoming(make(RemoteParty(DialledNumber(number) ?? DialledNumber()))))
    }

    private func make(_ remote: RemoteParty) -> TalkingCall {
        let call = TalkingCall(remote) { [weak self] in self?.mutes += 1 }
        last = call
        return call
    }
}

@MainActor
private final class TalkingCall: LineCall {
    let remote: RemoteParty
    let features: CallFeatures = [.conversation, .hold]
    var onEvent: ((CallEvent) -> Void)?
    private let muted: () -> Void

    init(_ remote: RemoteParty, muted: @escaping () -> Void) { (self.remote, self.muted) = (remote, muted) }

    func answer() {}
    func hangUp() {}
    func hold() {}
    func resume() {}
    func setMuted(_ isMuted: Bool) { muted() }
    func send(_ key: DTMFKey) {}
}

/// A tone player that plays nothing.
private final class Silence: ToneOutput, SoundOutput {
    func start(_ key: DTMFKey) {}
    func stop() {}
    func setReady(_ ready: Bool) {}
    func play(_ sound: PhoneSound, on outlet: AudioRoute) -> PlayedSound { PlayedSound(number: 1) }
    func stop(_ sound: PlayedSound) {}
}
