// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

extension ChatFixture {
    /// Returns a chat with a photo and a report on the disk.
    static func withFiles(online: Bool = true, facts: [MessageUpdate] = []) async throws -> ChatFixture {
        let fixture = try await ChatFixture(facts: facts, account: nil)
        fixture.files.add("/home/photo.jpg", mediaType: "image/jpeg")
        fixture.files.add("/home/report.pdf", mediaType: "application/pdf")
        if online { await fixture.goOnline() }
        return fixture
    }

    /// Sends files to Ada, and returns the reasons for those that were not accepted.
    @discardableResult
    func attach(_ paths: String...) async throws -> [String] {
        let uploads = try #require(chat.uploads)
        let problems = await uploads.attach(paths, to: ada)
        await rest()
        return problems
    }
}

extension MessageUpdate {
    /// Returns the message with a file that an earlier run saved.
    static func unsent(_ file: SharedFile) -> MessageUpdate {
        .composed(
            ComposedMessage(
                buddy: ada, name: "old", content: MessageContent(file: file), time: ChatTime(milliseconds: 1))
        )
    }
}
