// SPDX-License-Identifier: GPL-3.0-or-later

/// What the command line asks for.
enum Arguments {
    /// The usage, on standard output.
    case help
    /// The recorded tone set, in this folder.
    case toneSet(folder: String)

    static let usage = """
        Usage: tonegen [--out FOLDER]

        Writes the recorded tones of the sixteen keys, DTMF_00.wav to DTMF_D.wav: 48 kHz, 16 bits, mono, 300 ms.

          --out FOLDER  where to write them; data/tones if not given
          --help        show this and end
        """

    /// Reads the command line, without the program's name.
    init(_ arguments: ArraySlice<String>) throws(Complaint) {
        var folder = "data/tones"
        var rest = arguments
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h":
                self = .help
                return
            case "--out":
                guard let value = rest.popFirst(), !value.isEmpty else {
                    throw Complaint("--out needs a folder")
                }
                folder = value
            default:
                throw Complaint("“\(argument)” is not understood; see tonegen --help")
            }
        }
        self = .toneSet(folder: folder)
    }
}
