// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import GLibBridge
import RecordedSound
public import TouchtoneCore

/// The answering machine as the practice exchange hears it, and the recorder of its calls: the recordings are real ones, of
/// synthesized sound.
@MainActor
public final class PracticeMachine: ExchangeMachine {
    public init() {}

    public func begin(_ answer: MachineAnswer) -> any ExchangeMessage { PracticeRecording(answer) }

    public func record(to file: OpenFile) -> any ExchangeRecording { PracticeCallRecording(file) }
}

/// A message of a far end of the practice exchange.
@MainActor
private final class PracticeRecording: ExchangeMessage {
    private nonisolated static let rate = 16_000
    /// The greatest number of samples of a step, for a late clock.
    private static let longest = 10 * rate

    private nonisolated static let thread = BackgroundThread("touchtone-greet")

    private var machine: MachineSound
    private let recorder: Recorder?
    private var count = 0

    init(_ answer: MachineAnswer) {
        machine = MachineSound(limit: Int(answer.limit.components.seconds))
        recorder = Recorder(descriptor: answer.recording.descriptor, isStereo: false)
        machine.begin()
        Task { [weak self] in
            let samples = await Self.read(answer.greeting)
            self?.machine.setGreeting(samples, rate: Self.rate)
        }
    }

    var isRecording: Bool { machine.step == .recording }

    var end: RecordingEnd? {
        if recorder?.hasFailed != false { return .failed }
        // The far end hears the tones at the limit to their end.
        guard machine.step == .over else { return nil }
        return switch machine.end {
        case .key: .key
        case .limit: .limit
        case .silence, nil: .silence
        }
    }

    func advance(by time: Duration, saying sound: Cadence?, from place: Duration) {
        let length = min(Self.longest, max(0, Int((time / .seconds(1)) * Double(Self.rate))))
        var heard = [Int16](repeating: 0, count: length)
        heard.withUnsafeMutableBufferPointer { machine.play(into: $0, rate: Self.rate) }
        let said =
            sound?.samples(from: place, count: length, rate: Self.rate)
            ?? [Int16](repeating: 0, count: length)
        said.withUnsafeBufferPointer { samples in
            guard machine.hear(samples, rate: Self.rate) else { return }
            recorder?.add(samples, of: .far, rate: Self.rate)
            // The near end tells the time.
            recorder?.add(samples, of: .near, rate: Self.rate)
            count += length
        }
    }

    func finish() -> Double {
        recorder?.finish()
        return Double(count) / Double(Self.rate)
    }

    /// Reads a greeting; one that cannot be read is silence.
    private nonisolated static func read(_ file: OpenFile) async -> [Int16] {
        await thread.run {
            guard let sound = try? SoundFile.read(descriptor: file.descriptor, limits: .greeting) else {
                return []
            }
            var resampler = StreamResampler(from: sound.rate, to: rate)
            let samples = resampler.resample(sound.frames) + resampler.finish()
            return samples.map { Int16(clamping: Int($0 * 32_767)) }
        }
    }
}

extension Cadence {
    /// Returns a part of the cadence as samples.
    ///
    /// - Parameter place: The time from the beginning to the part.
    func samples(from place: Duration, count: Int, rate: Int) -> [Int16] {
        let first = Int((place / .seconds(1)) * Double(rate))
        return (first..<first + count).map { index in
            let time = Double(index) / Double(rate)
            guard let (segment, begin) = segment(at: time) else { return 0 }
            let length = Double(segment.milliseconds ?? .max) / 1000
            // Soft edges do not click.
            let edge = min(1, (time - begin) / 0.005, max(0, begin + length - time) / 0.005)
            let sum = segment.tones.reduce(0.0) {
                $0 + pow(10, ($1.level - 3) / 20) * sin(2 * .pi * $1.frequency * (time - begin))
            }
            return Int16(clamping: Int(sum * edge * 32_767))
        }
    }

    private func segment(at time: Double) -> (Segment, begin: Double)? {
        var begin = 0.0
        for segment in segments {
            let end = begin + Double(segment.milliseconds ?? .max) / 1000
            if time < end { return (segment, begin) }
            begin = end
        }
        return nil
    }
}
