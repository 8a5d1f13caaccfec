// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import Glibc
import HelperSupport
import SIPMessages

/// The process that runs the SIP engine for the phone, which is at the socket of its standard input.
@main
enum Program {
    static func main() {
        guard let phone = PhoneConnection<SIPHelper>() else {
            // Somebody who builds a package sees at once what the engine does not know.
            let libraries =
                LibraryCheck.report() ? "Its libraries are known." : "It does not know its libraries."
            print("touchtone-sip is started by touchtone, with a socket as its standard input. \(libraries)")
            exit(2)
        }
        signal(SIGPIPE, SIG_IGN)
        // For the case that one ends this process.
        if let note = noteDescriptor() { sipshims_note_messages(note) }
        EndSignals.handle()
        EngineConfinement.enforce()
        EventLoop(phone: phone).run()
    }
}
