// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TouchtoneStore

/// How SQLite goes about what it is asked: nothing that is asked often may look through all there is.
@Suite struct QueryPlanTests {
    private let file: RawFile

    init() throws {
        file = try RawFile(":memory:")
        for step in Migrations.messages.steps { try file.run(step) }
    }

    @Test(arguments: MessageStatement.allCases)
    func noQueryScansAllMessages(_ query: MessageStatement) throws {
        // Those that match some words are in no order.
        try check(query, Self.messages[query] ?? [], isSorted: query == .search)
    }

    @Test(arguments: CallStatement.allCases)
    func noQueryScansAllCalls(_ query: CallStatement) throws {
        // Nor are those of some numbers.
        let isSorted = Self.found.contains(query)
        try check(query, (Self.calls[query] ?? []) + (isSorted ? Self.foundCalls : []), isSorted: isSorted)
    }

    @Test(arguments: ContactStatement.allCases)
    func noQueryScansAllContacts(_ query: ContactStatement) throws {
        try check(query, Self.contacts[query] ?? [], isSorted: false)
    }

    /// Where there may be tens of thousands, only what an index says of them is looked at.
    @Test(
        arguments: [.newCount, .foundBelow, .foundFrom, .foundMissedBelow, .foundMissedFrom]
            as [CallStatement])
    func countsAndSortsUseIndex(_ query: CallStatement) throws {
        let index = query == .newCount ? "call_new" : "call_number"
        let plan = try file.rows("EXPLAIN QUERY PLAN " + query.sql).map { $0[3] }
        #expect(plan.contains { $0.contains("USING COVERING INDEX \(index)") }, "\(plan)")
    }

    private func check(_ query: some SQLStatement, _ allowed: [String], isSorted: Bool) throws {
        let plan = try file.rows("EXPLAIN QUERY PLAN " + query.sql).map { $0[3] }
        for step in plan where step.hasPrefix("SCAN") {
            #expect(allowed.contains { step.hasPrefix($0) }, "\(query): \(plan)")
        }
        // What is found by an index is in its order.
        if !isSorted { #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(query): \(plan)") }
    }

    /// What is as short as the list of buddies, or no longer than what is found.
    private static let messages: [MessageStatement: [String]] = [
        .waiting: ["SCAN message USING INDEX message_waiting"],
        .corrections: ["SCAN message USING INDEX message_correction"],
        .search: ["SCAN message_text VIRTUAL TABLE INDEX", "SCAN conversation"],
        .common: ["SCAN old"], .distance: ["SCAN CONSTANT ROW"], .adoptConversations: ["SCAN conversation"],
        .adoptDrafts: ["SCAN draft"], .adoptBuddies: ["SCAN buddy"],
        .lastTimes: ["SCAN conversation"], .unreadCounts: ["SCAN conversation"], .buddies: ["SCAN buddy"],
        .drafts: ["SCAN draft"],
    ]

    /// What is new, deleted or cleared is wanted one and all.
    private static let calls: [CallStatement: [String]] = [
        .markSeen: ["SCAN call USING INDEX call_new"],
        .allDeleted: ["SCAN call USING COVERING INDEX call_deleted", "SCAN call USING INDEX call_deleted"],
        .deletedCount: ["SCAN call USING COVERING INDEX call_deleted", "SCAN call USING INDEX call_deleted"],
        .hasKept: [
            "SCAN CONSTANT ROW", "SCAN call USING COVERING INDEX call_kept",
            "SCAN call USING INDEX call_kept",
        ],
        .deleteAll: ["SCAN call USING INDEX call_kept"],
    ]

    private static let found: [CallStatement] = [
        .foundBelow, .foundFrom, .foundMissedBelow, .foundMissedFrom,
    ]
    /// The numbers that were asked for, and what is found.
    private static let foundCalls = ["SCAN json_each VIRTUAL TABLE", "SCAN (subquery"]

    private static let contacts: [ContactStatement: [String]] = [
        .cards: ["SCAN contact"], .methods: ["SCAN contact"],
        .deletedCards: ["SCAN contact USING INDEX contact_deleted"],
        .deletedMethods: ["SCAN contact USING INDEX contact_deleted"],
        .memoryKeys: ["SCAN memory_key"],
        .allDeleted: [
            "SCAN contact USING COVERING INDEX contact_deleted", "SCAN contact USING INDEX contact_deleted",
        ],
    ]
}
