// SPDX-License-Identifier: GPL-3.0-or-later

import RecordedSound
import TouchtoneCore

/// The recording of both sides of a conversation on the practice exchange: what the far ends play is computed again.
@MainActor
final class PracticeCallRecording: ExchangeRecording {
    private let recorder: Recorder?

    init(_ file: OpenFile) { recorder = Recorder(descriptor: file.descriptor, isStereo: true) }

    deinit { recorder?.finish() }

    var hasFailed: Bool { recorder?.hasFailed != false }

    func add(_ count: Int, of sounds: [ExchangeSound], tone: Duration?) {
        let rate = ExchangeSound.rate
        var far = [Int16](repeating: 0, count: count)
        // All echoes hear one microphone.
        var near: [Int16]?
        for sound in sounds {
            switch sound {
            case .cadence(let cadence, let place):
                Self.mix(cadence.samples(from: place, count: count, rate: rate), into: &far)
            case .echo(let echo):
                Self.mix(echo.far, into: &far)
                near = near ?? echo.near
            }
        }
        var said = [Int16](repeating: 0, count: count)
        Self.mix(near ?? [], into: &said)
        for (var samples, side) in [(far, Recorder.Side.far), (said, .near)] {
            samples.withUnsafeMutableBufferPointer { samples in
                if let tone {
                    var tones = RecordingTone(at: tone / .seconds(1))
                    tones.add(to: samples, rate: rate)
                }
                recorder?.add(UnsafeBufferPointer(samples), of: side, rate: rate)
            }
        }
    }

    func finish() async -> RecordingResult {
        guard let recorder else { return RecordingResult(seconds: 0, end: .failed, isSilent: true) }
        let outcome = await withCheckedContinuation { continuation in
            recorder.finish { continuation.resume(returning: $0) }
        }
        return RecordingResult(
            seconds: outcome.seconds, end: outcome.hasFailed ? .failed : nil, isSilent: outcome.isSilent)
    }

    private static func mix(_ samples: [Int16], into sum: inout [Int16]) {
        for index in sum.indices.prefix(samples.count) {
            sum[index] = Int16(clamping: Int(sum[index]) + Int(samples[index]))
        }
    }
}
