// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import Glibc

/// The process that runs the SIP engine for the phone.
///
/// Standard input is a socket connected to the phone, on which commands arrive and events leave.
@main
enum Program {
    static func main() {
        guard let channel = Channel(descriptor: STDIN_FILENO) else {
            print("touchtone-sip is started by touchtone, with a socket as its standard input.")
            exit(2)
        }
        signal(SIGPIPE, SIG_IGN)
        EndSignals.handle()
        Confinement.enforce()
        EventLoop(channel: channel).run()
    }
}
