// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import TouchtoneCore

@testable import TouchtoneUI

/// The number of rooms, and of the people in the largest one.
private let (roomCount, peopleCountInRoom) = (500, 5_000)

/// The measurements of rooms: 500 in the list, one of them with 5,000 people and 100,000 messages.
@MainActor
final class RoomsMeasuring {
    private let bench: BenchPanel
    private let record = RoomRecord(crowd, nickname: "ada")

    init(resources: Resources) throws(GLibError) { bench = try BenchPanel(resources: resources) }

    func run() {
        bench.begin("Rooms, with the store in SQLite")
        list()
        people()
        bench.open(crowd)
        bench.scroll()
        search()
    }

    private func list() {
        let (chat, service) = (bench.chat, bench.service)
        // They are entered some at a time.
        bench.measure("\(roomCount) rooms entered", count: roomCount / 20) { piece in
            for number in (piece * 20)..<(piece * 20 + 20) {
                let address = number == 0 ? crowd : ChatAddress("room\(number)@rooms.example.org")
                service.tell(.room(Room(RoomRecord(address, nickname: "ada"), standing: .joined)))
            }
        } until: {
            chat.buddies.order.count == roomCount
        }
        bench.scrollBuddies("them")
    }

    private func people() {
        bench.service.groups.people[crowd] = (0..<peopleCountInRoom).map { number in
            RoomPerson(
                nickname: "Person \(number * 7_919 % peopleCountInRoom)",
                role: number % 100 == 0 ? .moderator : .participant, affiliation: .none, address: nil,
                availability: .online, isMe: false)
        }
        let room = Room(record, standing: .joined, peopleCount: peopleCountInRoom)
        var people: RoomPeople?
        bench.measure("list of \(peopleCountInRoom) people") { _ in
            people = bench.panel.showPeople(of: room)
        } until: {
            people?.shownPeople ?? 0 > 5
        }
        people = nil
        bench.panel.hidePeople()
        // Then all of them leave, one after another.
        bench.measure("\(peopleCountInRoom) people leave", count: peopleCountInRoom / 20) { piece in
            for number in (piece * 20)..<(piece * 20 + 20) {
                let count = peopleCountInRoom - 1 - number
                bench.service.tell(.room(Room(record, standing: .joined, peopleCount: count)))
            }
        } until: {
            true
        }
    }

    private func search() {
        let panel = bench.panel
        // Different words find different messages. GTK waits 150 ms for another key.
        for words in ["lunch", "nobody kn", "99999", "ag"] {
            let before = panel.foundMessages
            bench.measure("search for “\(words)”") { _ in
                panel.search(for: words)
            } until: {
                !panel.foundMessages.isEmpty && panel.foundMessages != before
            }
        }
    }
}
