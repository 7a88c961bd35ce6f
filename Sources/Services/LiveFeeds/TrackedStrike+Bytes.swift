import Chronology
import OpenData

extension TrackedStrike {
    /// Strikes as JSON, so that those missing from the register survive a restart.
    static func bytes(_ strikes: [TrackedStrike]) -> [UInt8] {
        let list = strikes.map { strike in
            let notice = strike.notice
            var members = [
                ("id", notice.id), ("first", notice.firstDay.iso8601),
                ("last", notice.lastDay.iso8601), ("sector", notice.sector),
                ("relevance", notice.relevance), ("region", notice.region),
                ("province", notice.province), ("unions", notice.unions),
                ("staff", notice.staff), ("hours", notice.hoursText),
            ].map { JSONObject.Member($0.0, .text($0.1)) }
            if let moment = strike.missingSince {
                members.append(.init("missing", .integer(moment.seconds)))
            }
            return JSONValue.object(JSONObject(members))
        }
        return Array(JSONValue.list(list).json.utf8)
    }

    /// Reads strikes; those that cannot be read are left out, since the register has them again.
    static func strikes(_ bytes: [UInt8]) -> [TrackedStrike] {
        let list = (try? JSONValue(parsing: bytes))?.list ?? []
        return list.compactMap { value in
            func text(_ name: String) -> String? { value.object?[name]?.text }
            guard let id = text("id"), let first = text("first").flatMap(CivilDate.init(iso8601:)),
                let last = text("last").flatMap(CivilDate.init(iso8601:))
            else { return nil }
            var missing: Instant?
            if case .integer(let seconds) = value.object?["missing"] {
                missing = Instant(seconds: seconds)
            }
            let notice = StrikeNotice(
                id: id,
                firstDay: first,
                lastDay: last,
                sector: text("sector") ?? "",
                relevance: text("relevance") ?? "",
                region: text("region") ?? "",
                province: text("province") ?? "",
                unions: text("unions") ?? "",
                staff: text("staff") ?? "",
                hoursText: text("hours") ?? ""
            )
            return TrackedStrike(notice, missingSince: missing)
        }
    }
}
