// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
public import HelperMessages
public import TouchtoneCore

extension PassedDescriptor {
    /// Duplicates the descriptor of a file; nil if the process has too many.
    public convenience init?(_ file: OpenFile) {
        let copy = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return nil }
        self.init(owning: copy)
    }
}
