// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore
import TouchtoneFiles
import TouchtoneNumbers

/// The composition of file transfers.
@MainActor
enum WebComposition {
    /// Creates the transfers; libsoup is loaded for the first one.
    static func transfers() -> any FileTransfers {
        WebTransfers(
            library: WebLibrary(folders: LibraryFolders.standard), userAgent: "Touchtone/\(Main.version)")
    }
}
