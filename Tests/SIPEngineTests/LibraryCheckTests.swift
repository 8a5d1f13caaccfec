// SPDX-License-Identifier: GPL-3.0-or-later

import CSIPShims
import Testing

@Suite struct LibraryCheckTests {
    /// This system's liblinphone is known, and has all functions that the engine replaces.
    @Test func engineKnowsItsLibrary() throws {
        let engine = try EngineProcess()
        #expect(!engine.said.contains("liblinphone"), "\(engine.said)")
    }

    @Test func streamThatHasEndedHasNoSource() { #expect(rtp_session_get_send_ssrc(nil) == 0) }

    @Test func onlyTriedVersionsAreKnown() {
        for version in ["5.1.65", "5.3.105"] { #expect(sipshims_knows_version(version)) }
        for version in ["5.4.2", "5.10.0", "6.1.0", "5.35.0", ""] {
            #expect(!sipshims_knows_version(version))
        }
    }
}
