import Chronology
import Dispatching
import Fares
import Foundation
import Identity
import Notify
import Taxi
import TaxiPages
import WebCore

extension AccountPages {
    /// The number of history entries that an export reads per query.
    private static let exportPage = 1_000
    /// The maximum number of messages in an export; older ones are no longer stored.
    private static let exportedMessages = 10_000

    /// All stored data about a person, from every module, as one JSON document (R105).
    func exportText(of person: PersonNumber, at now: Moment) async throws -> String {
        let others = try await slots.exported(person)
        return try await accounts.export(
            of: person,
            at: now,
            adding: others.map { section in { _ in section } } + [
                { try await section("requests", .passenger($0.passenger)) },
                { try await section("drives", .driver($0.rawValue)) },
                { try await accounts.connectedSection(of: $0, at: now) },
                { try await accounts.identitySection(of: $0) },
                shiftSection, feedbackSection, linkSection, browserSection, messageSection,
            ]
        )
    }

    /// A complete history, newest entry first.
    private func section(
        _ name: String,
        _ reader: RideHistory.Reader
    ) async throws -> ExportSection {
        var lines: [ExportedRide] = []
        while true {
            let page = try await taxi.history.lines(
                of: reader,
                limit: Self.exportPage,
                offset: lines.count
            )
            lines += page.map { ExportedRide($0) }
            if page.count < Self.exportPage { break }
        }
        return try ExportSection(name, lines)
    }

    /// The driver's shifts.
    private func shiftSection(_ person: PersonNumber) async throws -> ExportSection {
        let shifts = try await taxi.shifts(of: person.rawValue).map { shift in
            ExportedShift(
                began: shift.began.milliseconds,
                ended: shift.ended?.milliseconds
            )
        }
        return try ExportSection("shifts", shifts)
    }

    /// The passenger's ratings, comments, and appeals against recorded no-shows.
    private func feedbackSection(_ person: PersonNumber) async throws -> ExportSection {
        let rides = try await taxi.feedback(of: person.passenger).map { said in
            ExportedSaying(
                ride: said.request.rawValue,
                stars: said.stars,
                words: said.words,
                made: said.made.milliseconds,
                isReport: said.isReport
            )
        }
        let appeals = try await taxi.appeals(of: person.passenger).map { said in
            ExportedSaying(
                words: said.words,
                made: said.made.milliseconds,
                decided: said.decided?.milliseconds,
                isGranted: said.decided == nil ? nil : said.isGranted
            )
        }
        return try ExportSection("feedback", rides + appeals)
    }

    /// The rides shared by a link; the link itself is not stored but derived from a secret.
    private func linkSection(_ person: PersonNumber) async throws -> ExportSection {
        let links = try await taxi.tripLinks(of: person.passenger)
        return try ExportSection(
            "links",
            links.map { ExportedLink(ride: $0.request.rawValue, made: $0.made.milliseconds) }
        )
    }

    /// The browsers subscribed to push messages.
    private func browserSection(_ person: PersonNumber) async throws -> ExportSection {
        let found = try await devices.subscriptions(of: String(person.rawValue))
        return try ExportSection("browsers", found.map(\.endpoint))
    }

    /// The messages sent and their times; their content is not stored.
    private func messageSection(_ person: PersonNumber) async throws -> ExportSection {
        let found = try await Notify.NotificationQueue(in: database)
            .entries(of: String(person.rawValue), limit: Self.exportedMessages)
        return try ExportSection("messages", found.map { ExportedMessage($0) })
    }
}

extension ExportSection {
    fileprivate init(_ name: String, _ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let json = try encoder.encode(value)
        self.init(name: name, json: String(decoding: json, as: UTF8.self))
    }
}

/// A history entry in an export; times are in milliseconds since 1970 UTC.
private struct ExportedRide: Encodable {
    var number: UInt64
    var isOfOldSystem: Bool
    var asked: Int64
    var due: Int64?
    var accepted: Int64?
    var ended: Int64?
    var outcome: String?
    var from: String?
    var to: String?
    var fare: String?

    init(_ line: RideLine) {
        number = line.request.rawValue
        isOfOldSystem = line.origin == .oldSystem
        asked = line.asked.milliseconds
        due = line.due?.milliseconds
        accepted = line.accepted?.milliseconds
        ended = line.ended?.milliseconds
        outcome = line.outcome.map { "\($0)" }
        from = line.meeting?.text
        to = line.destination?.text
        fare = line.fare?.text
    }
}

/// A driver's shift in an export; a shift without an end is still in progress.
private struct ExportedShift: Encodable {
    var began: Int64
    var ended: Int64?
}

/// Feedback in an export; an entry without a ride is an appeal.
private struct ExportedSaying: Encodable {
    var ride: UInt64?
    var stars: Int64?
    var words: String
    var made: Int64
    var isReport: Bool?
    var decided: Int64?
    var isGranted: Bool?
}

/// A shared ride link in an export.
private struct ExportedLink: Encodable {
    var ride: UInt64
    var made: Int64
}

/// A message in an export.
private struct ExportedMessage: Encodable {
    var kind: String
    var channel: String?
    var state: String
    var posted: Int64

    init(_ entry: Notify.NotificationQueue.Entry) {
        kind = entry.kind
        channel = entry.channel?.rawValue
        state = entry.state.rawValue
        posted = entry.posted.milliseconds
    }
}
