// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

extension AudioEngine: MicrophoneMonitor {
    public func watch(
        heard: @escaping @Sendable (Double) -> Void, failed: @escaping @Sendable () -> Void
    ) -> any MicrophoneWatch {
        let watch = WatchedMicrophone(gain: microphoneGain)
        watch.start(microphones, heard: heard, failed: failed)
        return watch
    }
}

/// A microphone that is only measured.
private final class WatchedMicrophone: MicrophoneWatch {
    private let microphone: Microphone

    init(gain: MicrophoneGain) {
        microphone = Microphone(
            rate: 16_000, shape: BufferConfiguration(period: 20_000, periods: 8, reserve: 0), gain: gain)
    }

    deinit { microphone.stop() }

    func start(
        _ devices: [String], heard: @escaping @Sendable (Double) -> Void,
        failed: @escaping @Sendable () -> Void
    ) {
        microphone.watch(heard)
        microphone.start(devices) { _ in
        } ended: { isLost in
            if isLost { failed() }
        }
    }

    func stop() { microphone.stop() }
}
