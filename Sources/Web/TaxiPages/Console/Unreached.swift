package import Chronology
package import Identity
package import Localization
package import Markup
package import Notify
package import WebCore

/// Lists people whose messages cannot be delivered, such as an invitation to a mistyped address.
extension ConsoleModule {
    /// How long a failed message is listed, in seconds: a weekend and a day.
    private static var toldSeconds: Int64 { 3 * 86_400 }
    /// The number of recent failed messages that are examined.
    private static var lookedAt: Int { 200 }

    /// The latest failed message of each person who has received none since, newest first.
    ///
    /// Guests and people who have left are omitted, because nobody can correct their addresses.
    package func unreached(
        at now: Moment
    ) async throws -> [(lost: NotificationQueue.Lost, profile: Profile)] {
        var seen: Set<String> = []
        var found: [(lost: NotificationQueue.Lost, profile: Profile)] = []
        let all = try await NotificationQueue(in: database)
            .lost(since: now.adding(seconds: -Self.toldSeconds), limit: Self.lookedAt)
        for lost in all where seen.insert(lost.person).inserted {
            guard let number = Int64(lost.person) else { continue }
            do {
                let profile = try await accounts.profile(of: PersonNumber(rawValue: number))
                found.append((lost, profile))
            } catch AccountFailure.noSuchPerson {
                continue
            }
        }
        return found
    }

    /// The people who could not be reached, for staff who can correct their addresses; empty if
    /// there are none.
    package func unreachedTable(_ context: RequestContext) async throws -> HTML {
        let rows = try await unreached(at: context.now).map { lost, profile -> [HTML] in
            [
                """
                <a href=\(Address("/console/person", lost.person))>\
                \(profile.surname) \(profile.name)</a>
                """, "\(context.say(UnreachedTexts.channel(lost.channel)))",
                time(lost.settled, context),
            ]
        }
        guard !rows.isEmpty else { return .empty }
        let heads = [StaffTexts.name, UnreachedTexts.message, UnreachedTexts.when]
        return DataTable(
            caption: UnreachedTexts.caption,
            heads.map { DataTable.Column($0) },
            rows: rows
        ).html(context)
    }

    /// The notice on a person's page that the last message was not delivered.
    package func unreachedNotice(
        _ person: PersonNumber,
        _ context: RequestContext
    ) async throws -> HTML {
        let queue = NotificationQueue(in: database)
        guard let lost = try await queue.lost(to: "\(person.rawValue)") else { return .empty }
        let answer = lost.answer.map { " (\($0))" } ?? ""
        return """
            <p class="notice warn">\(context.say(UnreachedTexts.notice(lost.channel))) \
            \(time(lost.settled, context))\(answer)</p>
            """
    }
}

/// Texts about messages that were not delivered.
extension UnreachedTexts {
    /// The channel through which a message was sent.
    package static func channel(_ channel: Channel) -> Text {
        switch channel {
        case .mail: UnreachedTexts.mail
        case .sms: UnreachedTexts.textMessage
        case .push: UnreachedTexts.deviceNotice
        }
    }

    package static func notice(_ channel: Channel) -> Text {
        channel == .sms
            ? UnreachedTexts.textMessageLost
            : UnreachedTexts.mailLost
    }
}
