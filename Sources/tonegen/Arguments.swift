// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// What the command line asks for.
enum Arguments {
    /// The usage, on standard output.
    case help
    /// How fast the synthesizer is, on standard output.
    case bench
    /// The recorded tone set, in this folder.
    case toneSet(folder: String)
    /// A sound, in a file.
    case sound(Request)

    static let usage = """
        Usage: tonegen [--out FOLDER]
               tonegen SOUND [OPTION...] FILE.wav

        Without a SOUND it writes the recorded tones of the sixteen keys into FOLDER, data/tones if not given:
        DTMF_00.wav to DTMF_D.wav, 48 kHz, 16 bits, mono, 300 ms. With one it writes that into FILE.wav, mono, 16 bits.

        SOUND is one of
          --digits KEYS   the tones of these keys: 0 to 9, *, #, A to D
          --sound NAME    a sound of the network: dial, ringback, busy, reorder, special-information, call-waiting,
                          off-hook
          --ring KIND     bell, warble or ding, which is a message
          --pulse DIGITS  the clicks of pulse dialling
          --click         the click of a key
          --error         the error tone

        OPTION is one of
          --on MS         the length of each tone of --digits, 55 to 60000; 300 if not given
          --off MS        the silence after each but the last, 50 to 60000; 100 if not given
          --plan NAME     the country of --sound, such as us, gb, itu, or a file; us if not given
          --seconds S     how much of --sound or --ring, 0.01 to 3600; 6 if not given
          --rate HZ       the sample rate, 8000 to 192000; 48000 if not given
          --level DB      the peak in dBFS, -40 to 0; if not given, what the plan says, -9 for other sounds

          --bench         measure how fast the synthesizer is
          --help          show this and end
        """

    /// Reads the command line, without the program's name.
    init(_ arguments: ArraySlice<String>) throws(Complaint) {
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
            if let file = reader.files.first {
                throw Complaint("“\(file)” is not understood; see tonegen --help")
            }
            self = .toneSet(folder: reader.values["--out"] ?? "data/tones")
        }
    }
}
