// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
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
        service.tell(
            .updates([
                .received(
                    ReceivedMessage(
                        buddy: buddy, sender: .buddy, content: MessageContent(file: file), time: wall.now,
                        name: file.url))
            ]))
        settle()
    }

    /// The contents of the panel.
    var insides: MessagePanel.Insides {
        guard let insides = panel.insides else { preconditionFailure("the panel is not built") }
        return insides
    }
}
