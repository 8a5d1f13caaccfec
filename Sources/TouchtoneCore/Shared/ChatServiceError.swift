// SPDX-License-Identifier: GPL-3.0-or-later

/// The reason why a service could not perform a request.
public enum ChatServiceError: Error, Hashable, Sendable {
    case offline
    /// The request was refused; with the reason, for the user.
    case refused(String)
    case unsupported
}
