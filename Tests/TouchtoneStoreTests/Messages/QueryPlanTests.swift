// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TouchtoneStore

/// How SQLite goes about what it is asked: nothing that is asked often may look through all messages.
@Suite struct QueryPlanTests {
    private let file: RawFile

    init() throws {
        file = try RawFile(":memory:")
        for step in Migrations.messages.steps { try file.run(step) }
    }

    @Test(arguments: MessageQuery.allCases)
    func nothingLooksThroughAllMessages(_ query: MessageQuery) throws {
        let plan = try file.rows("EXPLAIN QUERY PLAN " + query.sql).map { $0[3] }
        for step in plan where step.hasPrefix("SCAN") {
            #expect(Self.allowed[query]?.contains { step.hasPrefix($0) } == true, "\(plan)")
        }
        // What is found by an index is in its order; those that match some words are not.
        if query != .search { #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)") }
    }

    /// What is as short as the list of buddies, or no longer than what is found.
    private static let allowed: [MessageQuery: [String]] = [
        .waiting: ["SCAN message USING INDEX message_waiting"],
        .search: ["SCAN message_text VIRTUAL TABLE INDEX"],
        .lastTimes: ["SCAN conversation"], .unreadCounts: ["SCAN conversation"], .buddies: ["SCAN buddy"],
        .drafts: ["SCAN draft"],
    ]
}
