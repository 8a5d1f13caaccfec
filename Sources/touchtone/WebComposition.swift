// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import Glibc
import TouchtoneCore
import TouchtoneFiles

/// The composition of file transfers.
@MainActor
enum WebComposition {
    /// Creates the transfers; libsoup is loaded for the first one.
    ///
    /// As with OpenSSL and curl, `SSL_CERT_FILE` names the authorities to trust instead of those of the system.
    static func transfers() -> WebTransfers {
        let authorities = getenv("SSL_CERT_FILE").map { String(cString: $0) } ?? ""
        return WebTransfers(
            library: WebLibrary(folders: LibraryFolders.standard), userAgent: "Touchtone/\(Main.version)",
            authorities: authorities.isEmpty ? nil : authorities)
    }
}
