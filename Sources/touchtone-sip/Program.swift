// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import Glibc

/// The process that runs the SIP engine for the phone.
///
/// Standard input is a socket connected to the phone, on which commands arrive and events leave. For tests,
/// `--can-read FILE` and `--can-run FILE` tell by the exit status whether the confined process can read a file or run a
/// program.
@main
enum Program {
    static func main() {
        if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--can-read" {
            Confinement.enforce()
            exit(open(CommandLine.arguments[2], O_RDONLY) >= 0 ? 0 : 1)
        }
        if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--can-run" {
            Confinement.enforce()
            execv(CommandLine.arguments[2], CommandLine.unsafeArgv + 2)
            exit(1)
        }
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
