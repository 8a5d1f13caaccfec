// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import TouchtoneCore
import TouchtoneStore
import TouchtoneUI

/// Measures the message panel with 100,000 messages and 5,000 buddies, in a window on the current screen; with `rooms`,
/// 500 rooms, one of them with 5,000 people and 100,000 messages; with `calls`, the history with 100,000 calls.
///
/// The data is in the program's own store, in the folder that XDG_DATA_HOME names. `panelbench fill` creates the
/// messages, `fill-room` those of a room, and `fill-calls` the calls, in a separate run, so that their memory is not attributed to the panel.
@main
enum PanelBench {
    static func main() {
        MainActor.assumeIsolated {
            guard gtk_init_check(nil, nil) != 0, let resources = Resources.find() else {
                return print("the panel bench needs a display, and the checkout's data/")
            }
            hdy_init()
            MainLoop.attachMainActor()
            do throws(GLibError) {
                switch CommandLine.arguments.dropFirst().first {
                case "fill": Filling.run(grace)
                case "fill-room": Filling.run(crowd)
                case "fill-calls": CallsFilling.run()
                case "rooms": try RoomsMeasuring(resources: resources).run()
                case "contacts": try ContactsMeasuring(resources: resources).run()
                case "calls": try CallsMeasuring(resources: resources).run()
                default: try Measuring(resources: resources).run()
                }
            } catch {
                print("the panel could not be built: \(error)")
            }
        }
    }
}

/// The displayed conversation.
let grace = ChatAddress("grace@example.org")
/// The displayed room.
let crowd = ChatAddress("crowd@rooms.example.org")
/// The number of its messages.
let messageCount = 100_000
/// The number of buddies.
let buddyCount = 5_000

/// Returns the text of a message: one to eight lines, some with emoticons and links.
func text(_ number: Int) -> String {
    let words = [
        "lunch", "the", "desk", "phone", "rings", "again", "and", "nobody", "knows", "why", ":)", "today",
    ]
    let length = [2, 5, 9, 3, 14, 7, 30, 4, 11, 60][number % 10]
    let text = (0..<length).map { words[(number * 7 + $0 * 5) % words.count] }.joined(separator: " ")
    return number % 50 == 0 ? "\(number) \(text) https://example.org/\(number)" : "\(number) \(text)"
}

/// Runs the main loop until a condition holds.
@MainActor
func waitUntil(_ condition: () -> Bool) {
    while !condition() { Turns.next() }
}

/// Fills the store with the messages.
@MainActor
enum Filling {
    static func run(_ conversation: ChatAddress) {
        let store = SQLiteStore()
        var left = messageCount
        let size = 2_000
        for start in stride(from: 0, to: messageCount, by: size) {
            let facts = (start..<(start + size)).map { number -> MessageUpdate in
                .received(
                    ReceivedMessage(
                        buddy: conversation, sender: sender(number, in: conversation), text: text(number),
                        time: ChatTime(milliseconds: 1_300_000_000_000 + Int64(number) * 60_000),
                        name: "name-\(number)"))
            }
            store.apply(facts) { result in
                if case .failure(let error) = result { print("not kept: \(error)") }
                left -= size
            }
        }
        waitUntil { left == 0 }
        store.apply([.seen(buddy: conversation, upTo: .name("name-\(messageCount - 1)"))]) { _ in left = -1 }
        waitUntil { left == -1 }
        var isFlushed = false
        store.flush { isFlushed = true }
        waitUntil { isFlushed }
    }

    private static func sender(_ number: Int, in conversation: ChatAddress) -> MessageSender {
        guard number % 3 != 0 else { return .me }
        return conversation == crowd
            ? .occupant(RoomOccupant(nickname: "Person \(number % 97)")) : .buddy
    }
}
