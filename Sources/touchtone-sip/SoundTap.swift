// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import RecordedSound

/// Somebody who takes the sound of a call on the threads of the media, and may change it.
protocol SoundListener: AnyObject, Sendable {
    /// Takes what the far end gets next.
    func send(_ samples: UnsafeMutableBufferPointer<Int16>, rate: Int)
    /// Takes what has come from the far end.
    func receive(_ samples: UnsafeMutableBufferPointer<Int16>, rate: Int)
}

/// The connection of a listener to the sound of a call, until it is released.
final class SoundTap {
    private let context: UnsafeMutableRawPointer

    init(_ listener: any SoundListener) {
        context = Unmanaged.passRetained(Box(listener)).toOpaque()
    }

    deinit {
        sipshims_leave_sound(context)
        Unmanaged<Box>.fromOpaque(context).release()
    }

    /// Connects again if the call has another stream now.
    func follow(_ call: Call) {
        let isJoined = linphone_call_get_conference(call.handle) != nil
        _ = sipshims_take_sound(
            call.handle, isJoined,
            { context, isSent, samples, count, rate in
                guard let context, let samples else { return }
                let listener = Unmanaged<Box>.fromOpaque(context).takeUnretainedValue().listener
                let part = UnsafeMutableBufferPointer(start: samples, count: count)
                if isSent {
                    listener.send(part, rate: Int(rate))
                } else {
                    listener.receive(part, rate: Int(rate))
                }
            }, context)
    }

    /// A function of C gets an object and no protocol.
    private final class Box: Sendable {
        let listener: any SoundListener

        init(_ listener: any SoundListener) { self.listener = listener }
    }
}
