// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import Glibc

/// The devices with keys for calls, which come and go: hidraw devices with HID's telephony page, and input devices with the
/// keys KEY_PHONE or KEY_MICMUTE.
///
/// sysfs describes a device to everybody, so that none is opened that has no such key. inotify(7) says when one comes, or
/// becomes readable for the user.
@MainActor
final class HeadsetDevices {
    /// The folders of devices and of their descriptions; the tests have their own.
    struct Folders: Sendable {
        var devices = "/dev"
        var system = "/sys"
    }

    private static let maximumDevices = 16
    private static let maximumCapabilities = 4096

    private let folders: Folders
    private let pressed: @MainActor (HeadsetKey) -> Void
    private let work = BackgroundThread("headset")
    private let notices: Int32
    private var watch: DescriptorWatch?
    private var devices: [String: HeadsetDevice] = [:]
    /// The devices that are being opened.
    private var opening: Set<String> = []
    /// Those of the open devices, and of those being opened, of which a notice has come since: another device may be in its place.
    private var renewed: Set<String> = []
    private(set) var lit: Set<HIDDescriptor.Usage> = []

    init(_ folders: Folders, pressed: @escaping @MainActor (HeadsetKey) -> Void) {
        (self.folders, self.pressed) = (folders, pressed)
        notices = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        watchFolders()
        if notices >= 0 { watch = DescriptorWatch(notices) { [weak self] in self?.look() } }
        findAll()
    }

    isolated deinit {
        watch = nil
        if notices >= 0 { close(notices) }
    }

    /// The number of devices that are open.
    var count: Int { devices.count }

    /// Lights the lamps of all devices.
    func light(_ lamps: Set<HIDDescriptor.Usage>) {
        lit = lamps
        for device in devices.values { device.light(lamps) }
    }

    private func watchFolders() {
        // Not changes of contents: any program that writes to /dev/null would wake this one.
        let changes = UInt32(IN_CREATE | IN_ATTRIB | IN_MOVED_TO)
        for folder in [folders.devices, folders.devices + "/input"] {
            inotify_add_watch(notices, folder, changes)
        }
    }

    /// Looks for devices again if a name says that one has come or changed.
    private func look() {
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment)
        defer { buffer.deallocate() }
        let count = read(notices, buffer.baseAddress, buffer.count)
        let header = MemoryLayout<inotify_event>.size
        var (offset, isOfInterest) = (0, false)
        while offset + header <= count {
            let length = Int(buffer.load(fromByteOffset: offset, as: inotify_event.self).len)
            guard offset + header + length <= count else { break }
            let name = buffer[(offset + header)..<(offset + header + length)].prefix { $0 != 0 }
            let text = String(decoding: name, as: UTF8.self)
            if text == "input" { watchFolders() }
            for path in ["\(folders.devices)/\(text)", "\(folders.devices)/input/\(text)"]
            where devices[path] != nil || opening.contains(path) { renewed.insert(path) }
            isOfInterest =
                isOfInterest || text == "input" || text.hasPrefix("hidraw") || text.hasPrefix("event")
            offset += header + length
        }
        if isOfInterest { findAll() }
    }

    private func findAll() {
        for name in Self.names(in: folders.system + "/class/hidraw") where name.hasPrefix("hidraw") {
            let path = folders.devices + "/" + name
            guard isNew(path) else { continue }
            let file = folders.system + "/class/hidraw/\(name)/device/report_descriptor"
            guard let bytes = readDescription(file, maximum: HIDDescriptor.maximumLength),
                let descriptor = HIDDescriptor(bytes)
            else { continue }
            open(path, .telephony(descriptor))
        }
        for name in Self.names(in: folders.system + "/class/input") where name.hasPrefix("event") {
            let path = folders.devices + "/input/" + name
            guard isNew(path) else { continue }
            let file = folders.system + "/class/input/\(name)/device/capabilities/key"
            guard let bytes = readDescription(file, maximum: Self.maximumCapabilities),
                InputEvents.isHeadset(String(decoding: bytes, as: UTF8.self))
            else { continue }
            open(path, .input)
        }
    }

    private func isNew(_ path: String) -> Bool {
        devices[path] == nil && !opening.contains(path) && devices.count + opening.count < Self.maximumDevices
    }

    private func open(_ path: String, _ kind: HeadsetDevice.Kind) {
        guard access(path, R_OK) == 0 else { return }
        opening.insert(path)
        renewed.remove(path)
        Task { [work, weak self] in
            let file = await work.run { DeviceFile(path) }
            self?.opened(file, path, kind)
        }
    }

    private func opened(_ file: DeviceFile?, _ path: String, _ kind: HeadsetDevice.Kind) {
        opening.remove(path)
        guard let file else { return lookAgain(for: path) }
        let device = HeadsetDevice(file, kind, work: work, pressed: pressed) { [weak self] in
            self?.devices[path] = nil
            self?.lookAgain(for: path)
        }
        devices[path] = device
        device.light(lit)
    }

    /// Looks for the device that has come in the place of one that has gone: the notice of it came while that was still there.
    ///
    /// Only after a notice, so that a broken device, which is gone whenever it is opened, is not opened for ever.
    private func lookAgain(for path: String) {
        if renewed.remove(path) != nil { findAll() }
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < 1024, let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names
    }
}
