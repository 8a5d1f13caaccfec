// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TouchtoneStore

/// Tests of SQLite's query plans: no frequent query may scan a whole table.
@Suite struct QueryPlanTests {
    private let file: RawFile

    init() throws {
        file = try RawFile(":memory:")
        for step in Migrations.messages.steps { try file.run(step) }
    }

    @Test(arguments: MessageStatement.allCases)
    func noQueryScansAllMessages(_ query: MessageStatement) throws {
        // The results of a word search are unordered.
        try check(query, Self.messages[query] ?? [], isSorted: query == .search)
    }

    @Test(arguments: CallStatement.allCases)
    func noQueryScansAllCalls(_ query: CallStatement) throws {
        // So are those of a search for several numbers.
        let isSorted = Self.found.contains(query)
        try check(query, (Self.calls[query] ?? []) + (isSorted ? Self.foundCalls : []), isSorted: isSorted)
    }

    @Test(arguments: ContactStatement.allCases)
    func noQueryScansAllContacts(_ query: ContactStatement) throws {
        try check(query, Self.contacts[query] ?? [], isSorted: false)
    }

    @Test(arguments: CallTextStatement.allCases)
    func noQueryScansAllTexts(_ query: CallTextStatement) throws {
        let open = [
            "SCAN CONSTANT ROW", "SCAN text_call USING COVERING INDEX text_call_open",
            "SCAN text_call USING INDEX text_call_open",
        ]
        try check(query, query == .allOpen || query == .hasOpen ? open : [], isSorted: false)
    }

    /// In tables with tens of thousands of rows, only indexes are read for this.
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
        // Results from an index are in its order.
        if !isSorted { #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(query): \(plan)") }
    }

    /// Queries whose tables are as short as the buddy list, or no longer than the result.
    private static let messages: [MessageStatement: [String]] = [
        .waiting: ["SCAN message USING INDEX message_waiting"],
        .corrections: ["SCAN message USING INDEX message_correction"],
        .search: ["SCAN message_text VIRTUAL TABLE INDEX", "SCAN conversation"],
        .byNameOfAnybody: ["SCAN CONSTANT ROW"],
        .common: ["SCAN old"], .distance: ["SCAN CONSTANT ROW"], .adoptConversations: ["SCAN conversation"],
        .adoptUnresolved: ["SCAN unresolved"], .outgoing: ["SCAN outgoing"], .adoptDrafts: ["SCAN draft"],
        .adoptBuddies: ["SCAN buddy"],
        .last: ["SCAN conversation"], .settings: ["SCAN conversation"], .unreadCounts: ["SCAN conversation"],
        .buddies: ["SCAN buddy"],
        .drafts: ["SCAN draft"],
    ]

    /// Queries that need all new, deleted or cleared rows.
    private static let calls: [CallStatement: [String]] = [
        .markSeen: ["SCAN call USING INDEX call_new"],
        .allDeleted: ["SCAN call USING COVERING INDEX call_deleted", "SCAN call USING INDEX call_deleted"],
        .deletedCount: ["SCAN call USING COVERING INDEX call_deleted", "SCAN call USING INDEX call_deleted"],
        .hasKept: [
            "SCAN CONSTANT ROW", "SCAN call USING COVERING INDEX call_kept",
            "SCAN call USING INDEX call_kept",
        ],
        .deleteAll: ["SCAN call USING COVERING INDEX call_kept", "SCAN call USING INDEX call_kept"],
    ]

    private static let found: [CallStatement] = [
        .foundBelow, .foundFrom, .foundMissedBelow, .foundMissedFrom,
    ]
    /// Queries for requested numbers, and for found calls.
    private static let foundCalls = ["SCAN json_each VIRTUAL TABLE", "SCAN (subquery"]

    private static let contacts: [ContactStatement: [String]] = [
        .cards: ["SCAN contact"], .methods: ["SCAN contact"],
        .deletedCards: ["SCAN contact USING INDEX contact_deleted"],
        .deletedMethods: [
            "SCAN contact USING COVERING INDEX contact_deleted", "SCAN contact USING INDEX contact_deleted",
        ],
        .memoryKeys: ["SCAN memory_key"],
        .allDeleted: [
            "SCAN contact USING COVERING INDEX contact_deleted", "SCAN contact USING INDEX contact_deleted",
        ],
    ]
}
