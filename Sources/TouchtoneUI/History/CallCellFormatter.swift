// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// Formats the rows of the call list, with the current contact names and days relative to today.
@MainActor
struct CallCellFormatter {
    let history: CallHistory
    let phone: Phone
    let lines: LineRegistry
    /// The day at the time of creation.
    private let today: String
    /// The day before that.
    private let yesterday: String

    init(history: CallHistory, phone: Phone, lines: LineRegistry, now: ChatTime) {
        (self.history, self.phone, self.lines) = (history, phone, lines)
        today = LocaleTime(seconds: now.milliseconds / 1000)?.day ?? ""
        yesterday = LocaleTime.dayBefore(seconds: now.milliseconds / 1000) ?? ""
    }

    /// - Parameter newer: The call above it in the list; nil for the first.
    func cell(for entry: HistoryEntry, below newer: HistoryEntry?) -> CallCell {
        let call = entry.call
        let moment = LocaleTime(seconds: call.began.milliseconds / 1000)
        let time = moment?.time ?? ""
        let isToday = moment?.day == today
        let above = newer.flatMap { LocaleTime(seconds: $0.call.began.milliseconds / 1000)?.day }
        let written = PlainText.line(phone.text(of: call.remote.number))
        let name = self.name(of: call)
        let line = lines.line(call.line).map(LineStrings.shortName) ?? ""
        let when = isToday ? time : localized("{date} {time}", ["date": moment?.date ?? "", "time": time])
        let parts = [name, call.kind.accessibleText, when, call.outcome]
        return CallCell(
            heading: above == moment?.day && newer != nil ? nil : moment.map(heading), kind: call.kind,
            name: name,
            details: [written == name ? "" : written, line, failure(of: call)].filter { !$0.isEmpty },
            time: time, moment: moment?.whole ?? "", outcome: call.outcome, isNew: entry.isNew,
            hasText: entry.hasText,
            accessibleName: localizedList(parts.filter { !$0.isEmpty }))
    }

    /// Returns the name of the far end of a recorded call, when that was, and its line.
    func labels(of recording: Recording) -> (name: String, when: String, line: String) {
        let moment = LocaleTime(seconds: recording.call.began.milliseconds / 1000)
        let when = localized(
            "{date} {time}", ["date": moment.map(heading) ?? "", "time": moment?.time ?? ""])
        let line = lines.line(recording.call.line).map(LineStrings.shortName) ?? ""
        return (name(of: recording.call), when, line)
    }

    /// Returns the text for the far end of a call: its name, or else its number, or else its address.
    func name(of call: PastCall) -> String {
        let known = PlainText.line(history.name(of: call), maximum: 100)
        let names = [
            known, phone.text(of: call.remote.number),
            PlainText.line(call.remote.jabberAddress?.text ?? call.remote.address, maximum: 100),
        ]
        return names.first { $0.contains { !$0.isWhitespace } } ?? localized("Unknown caller")
    }

    /// Returns why a call failed, in the words of its line; empty for other calls.
    ///
    /// A missed one may never have rung.
    private func failure(of call: PastCall) -> String {
        guard case .failed(let reason) = call.endReason else { return "" }
        return PlainText.line(reason)
    }

    private func heading(_ moment: LocaleTime) -> String {
        switch moment.day {
        case today: localized("Today")
        case yesterday: localized("Yesterday")
        default: moment.date
        }
    }
}

extension PastCall.Kind {
    /// The word for the kind within a row's accessible name.
    var accessibleText: String {
        switch self {
        case .outgoing: localizedIn("kind of call", "outgoing")
        case .incoming: localizedIn("kind of call", "incoming")
        case .pickedUp: localizedIn("kind of call", "picked up")
        case .missed: localizedIn("kind of call", "missed")
        case .declined: localizedIn("kind of call", "declined")
        case .blocked: localizedIn("kind of call", "blocked")
        case .diverted: localizedIn("kind of call", "diverted")
        }
    }
}
