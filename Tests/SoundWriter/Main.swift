// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import RecordedSound

/// Records a tone of 450 Hz and one of 1,000 Hz at four times their speed until it is killed, or the file cannot be written.
///
/// It prints each second that it has recorded, and at the end what has become of the recording.
///
///     soundwriter FILE [BYTES]
@main
enum SoundWriter {
    static func main() {
        let arguments = CommandLine.arguments
        if arguments.count > 2, let bytes = rlim_t(arguments[2]) {
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        }
        let file = open(arguments[1], O_WRONLY | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR)
        guard let recorder = Recorder(descriptor: file, isStereo: true) else { exit(1) }
        close(file)
        var time = 0
        while !recorder.hasFailed {
            add(450, at: time, to: recorder, .far)
            add(1_000, at: time, to: recorder, .near)
            time += 1
            usleep(5_000)
            if time % 50 == 0 { say("\(time / 50)") }
        }
        recorder.finish()
        while recorder.outcome == nil { usleep(1_000) }
        if let outcome = recorder.outcome { say("failed \(outcome.hasFailed) after \(outcome.seconds)") }
    }

    private static let rate = 16_000

    /// Adds a fiftieth of a second.
    private static func add(_ frequency: Double, at time: Int, to recorder: Recorder, _ side: Recorder.Side) {
        let samples = (0..<rate / 50).map {
            Int16(8_000 * sin(2 * .pi * frequency * Double($0 + time * rate / 50) / Double(rate)))
        }
        samples.withUnsafeBufferPointer { recorder.add($0, of: side, rate: rate) }
    }

    private static func say(_ text: String) {
        let line = Array("\(text)\n".utf8)
        _ = write(STDOUT_FILENO, line, line.count)
    }
}
