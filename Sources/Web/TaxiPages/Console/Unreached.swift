package import Chronology
package import Identity
package import Localization
package import Markup
package import Notify
package import WebCore

/// Whom messages do not reach: an invitation to a mistyped address fails where nobody looks.
extension ConsoleModule {
    /// For how long it is told of everybody, in seconds: a weekend and a day.
    private static var toldSeconds: Int64 { 3 * 86_400 }
    /// How many messages are looked at.
    private static var lookedAt: Int { 200 }

    /// The last lost message of each person whom none has reached since, latest first; not of
    /// guests and of who has left, whose addresses nobody can mend.
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

    /// Who they are, for those who can mend it; nothing where everybody was reached.
    package func unreachedTable(_ visit: Visit) async throws -> HTML {
        let rows = try await unreached(at: visit.now).map { lost, profile -> HTML in
            """
            <tr><th scope="row"><a href=\(Address("/console/person", lost.person))>\
            \(profile.surname) \(profile.name)</a></th>\
            <td>\(visit.say(UnreachedTexts.channel(lost.channel)))</td>\
            <td>\(time(lost.settled, visit))</td></tr>
            """
        }
        guard !rows.isEmpty else { return .empty }
        let heads = [StaffTexts.name, UnreachedTexts.message, UnreachedTexts.when]
        return ConsoleTable(caption: UnreachedTexts.caption, heads: heads, rows: rows).html(visit)
    }

    /// That the last message to a person did not arrive, on the person's own page.
    package func unreachedNotice(_ person: PersonNumber, _ visit: Visit) async throws -> HTML {
        let queue = NotificationQueue(in: database)
        guard let lost = try await queue.lost(to: "\(person.rawValue)") else { return .empty }
        let answer = lost.answer.map { " (\($0))" } ?? ""
        return """
            <p class="notice warn">\(visit.say(UnreachedTexts.notice(lost.channel))) \
            \(time(lost.settled, visit))\(answer)</p>
            """
    }
}

/// The words about messages that did not arrive.
extension UnreachedTexts {
    /// How a message was sent.
    package static func channel(_ channel: Channel) -> Text {
        switch channel {
        case .mail: UnreachedTexts.mail
        case .sms: UnreachedTexts.textMessage
        case .push: UnreachedTexts.notice2
        }
    }

    package static func notice(_ channel: Channel) -> Text {
        channel == .sms
            ? UnreachedTexts.theLastTextMessageDid
            : UnreachedTexts.theLastMailDidNot
    }
}
