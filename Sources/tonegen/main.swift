// SPDX-License-Identifier: GPL-3.0-or-later

@preconcurrency import Glibc  // stderr is a global variable
public import GLibBridge
import TouchtoneAudio
public import TouchtoneCore

extension Gettext: Translator {}

if let folder = DataFolders.locale { Translation.install(Gettext(folder: folder)) }
do {
    switch try Arguments(CommandLine.arguments.dropFirst()) {
    case .help:
        print(Arguments.usage)
    case .bench:
        Bench().run()
    case .toneSet(let folder):
        try RecordedSet().write(to: folder)
    case .sound(let request):
        try request.write()
    }
} catch {
    fputs("tonegen: \(error.description)\n", stderr)
    exit(2)
}
