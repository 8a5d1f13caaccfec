// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The task that the command line requests.
enum Arguments {
    case help
    /// Measure the speed of the synthesizer and print it.
    case bench
    case toneSet(folder: String)
    case sound(Request)

    static var usage: String {
        localized(
            "Usage: tonegen [--out FOLDER]\n       tonegen SOUND [OPTION...] FILE.wav\n\nWithout a SOUND, writes the tones of the sixteen keys to FOLDER (default data/tones): DTMF_00.wav to DTMF_D.wav,\n48 kHz, 16 bits, mono, 300 ms. With one, writes that sound to FILE.wav, mono, 16 bits.\n\nSOUND is one of\n  --digits KEYS   the tones of these keys: 0 to 9, *, #, A to D\n  --sound NAME    a network tone: dial, ringback, busy, reorder, special-information, call-waiting, off-hook\n  --ring KIND     bell, warble or ding (the message chime)\n  --pulse DIGITS  pulse-dialling clicks\n  --click         the click of a key\n  --error         the error tone\n\nOPTION is one of\n  --on MS         length of each tone of --digits in ms, 55 to 60000 (default 300)\n  --off MS        silence between tones in ms, 50 to 60000 (default 100)\n  --plan NAME     country of --sound, such as us, gb, itu, or a file (default us)\n  --seconds S     length of --sound or --ring in seconds, 0.01 to 3600 (default 6)\n  --rate HZ       sample rate, 8000 to 192000 (default 48000)\n  --level DB      peak level in dBFS, -40 to 0 (default: the plan's; -9 for other sounds)\n\n  --bench         measure synthesizer speed\n  --help          show this help and exit"
        )
    }

    /// Parses the command line, without the program's name.
    init(_ arguments: ArraySlice<String>) throws(CommandError) {
        var reader = ArgumentReader(arguments)
        if reader.isHelp {
            self = .help
            return
        }
        try reader.readAll()
        if reader.flags.contains("--bench") {
            try reader.allow(["--bench"], files: 0)
            self = .bench
        } else if let request = try Request(&reader) {
            self = .sound(request)
        } else {
            try reader.allow(["--out"], files: reader.files.count)
            if let file = reader.files.first { throw CommandError.unexpected(file) }
            self = .toneSet(folder: reader.values["--out"] ?? "data/tones")
        }
    }
}
