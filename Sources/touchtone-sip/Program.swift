// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import Glibc

/// The process that runs the SIP engine for the phone.
///
/// Standard input is a socket connected to the phone, on which commands arrive and events leave.
@main
enum Program {
    static func main() {
        guard let channel = Channel(descriptor: STDIN_FILENO) else {
            // Somebody who builds a package sees at once what the engine does not know.
            let libraries =
                LibraryCheck.report() ? "Its libraries are known." : "It does not know its libraries."
            print("touchtone-sip is started by touchtone, with a socket as its standard input. \(libraries)")
            exit(2)
        }
        signal(SIGPIPE, SIG_IGN)
        noteMessages()
        EndSignals.handle()
        Confinement.enforce()
        EventLoop(channel: channel).run()
    }

    /// Notes the message that is being handled in the file that the phone has passed, for the case that it ends this process.
    private static func noteMessages() {
        guard let note = environment("TOUCHTONE_SIP_NOTE").flatMap({ Int32($0) }) else { return }
        _ = fcntl(note, F_SETFD, FD_CLOEXEC)
        sipshims_note_messages(note)
    }
}
