// SPDX-License-Identifier: GPL-3.0-or-later

import CSIPShims
import Glibc
import HelperSupport

/// The folder of the self-signed certificate for DTLS, in the session's runtime folder:
/// readable by the user alone, in memory, and gone at the logout.
enum PrivateFolder {
    /// The path; nil if the session has no runtime folder: calls are then encrypted without DTLS.
    static let path: String? = {
        guard let runtime = environment("XDG_RUNTIME_DIR") else { return nil }
        let path = "\(runtime)/touchtone-sip"
        guard mkdir(path, S_IRWXU) == 0 || errno == EEXIST else { return nil }
        return sipshims_make_certificate(path) ? path : nil
    }()
}
