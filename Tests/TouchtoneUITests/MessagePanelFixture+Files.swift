// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore

@testable import TouchtoneUI

extension MessagePanelFixture {
    /// Shows the panel with a conversation that takes files.
    static func connected(width: gint = 430, isRightToLeft: Bool = false) throws -> MessagePanelFixture {
        let fixture = try MessagePanelFixture(width: width, isRightToLeft: isRightToLeft)
        fixture.meet()
        fixture.service.tell(.ready)
        fixture.open()
        return fixture
    }

    /// Delivers a message with a file.
    func come(_ file: SharedFile, from buddy: ChatAddress = MessagePanelFixture.grace) {
        come(MessageContent(file: file), from: buddy)
    }

    func come(_ content: MessageContent, from buddy: ChatAddress = MessagePanelFixture.grace) {
        service.tell(
            .updates([
                .received(
                    ReceivedMessage(
                        buddy: buddy, sender: .buddy, content: content, time: wall.now,
                        name: content.file?.url))
            ]))
        settle()
    }

    /// Waits for the preview of files, and sends them by the keyboard.
    func sendFiles(_ count: Int = 1) {
        let title = count == 1 ? "1 file to send" : "\(count) files to send"
        waitUntil("the files are shown") { labels(in: widget).contains(title) }
        settle()
        type(GDK_KEY_Return)
    }

    /// The contents of the panel.
    var insides: MessagePanel.Insides {
        guard let insides = panel.insides else { preconditionFailure("the panel is not built") }
        return insides
    }
}
