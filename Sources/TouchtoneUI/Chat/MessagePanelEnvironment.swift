// SPDX-License-Identifier: GPL-3.0-or-later

package import GtkBridge
package import TouchtoneCore

/// The functions of the app that the message panel uses.
@MainActor
package struct MessagePanelEnvironment {
    /// Opens a link in a message that the user clicked.
    let open: @MainActor (TextLink) -> Void
    /// Opens the account settings in Preferences.
    let openAccount: @MainActor () -> Void
    /// Asks for a file to send, or for a place to save one; returns nil if the user cancels.
    let askFile: @MainActor (FileDialog.Request) async -> FileDialog.Answer?
    /// Opens a file on the disk, by its absolute path, with the desktop’s application.
    let openFile: @MainActor (String) -> Void
    /// The recording and playback of voice messages; nil if they are not supported.
    let voice: VoiceMessages?

    /// - Parameters:
    ///   - open: Opens a link.
    ///   - openAccount: Opens the account settings in Preferences.
    ///   - askFile: Asks for a file; by default, nobody answers.
    ///   - openFile: Opens a file.
    ///   - voice: The recording and playback of voice messages.
    package init(
        open: @escaping @MainActor (TextLink) -> Void, openAccount: @escaping @MainActor () -> Void,
        askFile: @escaping @MainActor (FileDialog.Request) async -> FileDialog.Answer? = { _ in nil },
        openFile: @escaping @MainActor (String) -> Void = { _ in },
        voice: VoiceMessages? = nil
    ) {
        (self.open, self.openAccount) = (open, openAccount)
        (self.askFile, self.openFile, self.voice) = (askFile, openFile, voice)
    }
}
