// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge

/// A device with keys for calls, while it is plugged in: it reports what is pressed, and shows the lamps that are lit.
@MainActor
final class HeadsetDevice {
    /// How the device reports its keys.
    enum Kind: Sendable {
        /// As a keyboard does.
        case input
        /// In reports of its own, which a descriptor describes.
        case telephony(HIDDescriptor)
    }

    /// The greatest number of keys that count at a time: a broken device sends any number.
    private static let maximumKeys = 8

    private let file: DeviceFile
    private let kind: Kind
    private let work: BackgroundThread
    private let pressed: @MainActor (HeadsetKey) -> Void
    private let gone: @MainActor () -> Void
    private var watch: DescriptorWatch?
    /// The keys that are pressed.
    private var held: Set<HIDDescriptor.Field> = []
    private var lit: Set<HIDDescriptor.Usage> = []
    /// Whether a report is being written.
    private var isWriting = false

    /// - Parameters:
    ///   - work: The thread that writes to the device.
    ///   - gone: Called once when the device is unplugged.
    init(
        _ file: DeviceFile, _ kind: Kind, work: BackgroundThread,
        pressed: @escaping @MainActor (HeadsetKey) -> Void, gone: @escaping @MainActor () -> Void
    ) {
        (self.file, self.kind, self.work, self.pressed, self.gone) = (file, kind, work, pressed, gone)
        watch = DescriptorWatch(file.descriptor) { [weak self] in self?.receive() }
    }

    /// Lights lamps, and puts out the others.
    func light(_ lamps: Set<HIDDescriptor.Usage>) {
        guard lamps != lit else { return }
        lit = lamps
        if !isWriting { writeLamps() }
    }

    private func writeLamps() {
        guard case .telephony(let descriptor) = kind, file.isWritable else { return }
        isWriting = true
        let (shown, reports, file) = (lit, descriptor.reports(lighting: lit), file)
        Task { [work, weak self] in
            await work.run { for report in reports { file.write(report) } }
            self?.wrote(shown)
        }
    }

    private func wrote(_ shown: Set<HIDDescriptor.Usage>) {
        isWriting = false
        if shown != lit { writeLamps() }
    }

    private func receive() {
        guard let bytes = file.read() else {
            watch = nil
            return gone()
        }
        for key in keys(in: bytes).prefix(Self.maximumKeys) { pressed(key) }
    }

    private func keys(in bytes: [UInt8]) -> [HeadsetKey] {
        guard case .telephony(let descriptor) = kind else { return InputEvents.keys(in: bytes) }
        return descriptor.keys.compactMap { field in
            guard let isPressed = descriptor.isPressed(field, in: bytes), isPressed != held.contains(field)
            else { return nil }
            if isPressed { held.insert(field) } else { held.remove(field) }
            guard !isEcho(field, isPressed, descriptor) else { return nil }
            return HIDDescriptor.key(field, isPressed: isPressed)
        }
    }

    /// Returns whether a hook switch only follows its lamp, which the phone has lit or put out: nobody has pressed it, and another
    /// call that rings meanwhile is not answered by that.
    private func isEcho(_ field: HIDDescriptor.Field, _ isOffHook: Bool, _ descriptor: HIDDescriptor) -> Bool
    {
        field.usage == .hookSwitch && !field.isRelative && file.isWritable
            && descriptor.lamps.contains { $0.usage == .offHookLamp }
            && isOffHook == lit.contains(.offHookLamp)
    }
}
