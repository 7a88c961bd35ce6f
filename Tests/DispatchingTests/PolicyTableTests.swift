import Testing

@testable import Dispatching

/// The table of conflicts, copied from spec/taxi.md 1.11 and not from the code.
///
/// It contains the rules of both documents and the default.
@Suite("The table of conflicts")
struct PolicyTableTests {
    /// A key with its values under A, under B and by default, in policy file format; nil if
    /// the table has none.
    struct Row: CustomTestStringConvertible {
        let number: String
        let key: String
        let a: String?
        let b: String?
        let standard: String?

        init(_ number: String, _ key: String, _ a: String?, _ b: String?, _ standard: String?) {
            self.number = number
            self.key = key
            self.a = a
            self.b = b
            self.standard = standard
        }

        var testDescription: String { "\(number) \(key)" }
    }

    static let table: [Row] = [
        Row("C1", "offer.timeout_s", "120", "60", "60"),
        Row("C2", "request.guest", "allow", "deny", "allow"),
        Row("C2", "guest.contact", nil, nil, "either"),
        Row("C3", "pending.max_retries", "10", "0", "10"),
        Row("C3", "pending.retry", nil, nil, "on_event"),
        Row("C4", "reservation.max_ahead_h", "360", "48", "360"),
        Row("C5", "reservation.retry_s", "120", nil, "120"),
        Row("C5", "reservation.retry_max", "20", "0", "20"),
        Row("C6", "reservation.snapshot_eligibility", "true", "false", "false"),
        Row("C7", "boarding.pin_digits", "4", "0", "4"),
        Row("C7", "boarding.prompt_radius_m", "none", "20", "20"),
        Row("C8", "eta.refresh_s", "0", "90", "90"),
        Row("C9", "gps.max_accuracy_m", "none", "50", "50"),
        Row("C10", "request.destination", "required", "hidden", "optional"),
        Row("C11", "end.require_pickup", "true", "false", "true"),
        Row("C11", "end.require_dest", "true", "false", "true"),
        Row("C11", "reach.radius_m", nil, nil, "100"),
        Row("C11", "end.override", nil, nil, "dispatcher"),
        Row("C12", "noshow.enabled", "true", "false", "true"),
        Row("C12", "noshow.min_wait_s", nil, nil, "300"),
        Row("C12", "noshow.restore_position", nil, nil, "head"),
        Row("C13", "driver.onboarding", "admin", "self+verify", "both"),
        Row(
            "C14",
            "registration.passenger.required",
            "[name, surname, email, mobile]",
            "[name, surname, email, username, password]",
            "[name, surname, email, username, password]"
        ),
        Row("C15", "driver.states", "full", "three", "full"),
        Row("C16", "border.enforce", "true", "false", "true"),
        Row("C17", "request.max_offers", "0", nil, "0"),
        Row("C17", "request.refused_memory", "request", nil, "try"),
        Row("C18", "reservation.all_refused", nil, nil, "retry"),
        Row("C19", "slo", "a", "b", "a"),
        Row("C20", "deployment", "primary+standby", "single", nil),
        Row("C21", "erasure", nil, nil, "cryptoshred"),
        Row("C27", "cancel.request", "never", nil, "until_arrival"),
        Row("C28", "http.plain", "off", "refuse", "refuse"),
        // 1.12, G1 to G4 and the numbers of section 1, on which the documents agree.
        Row("1.12", "share.max_detour_percent", nil, nil, "40"),
        Row("1.12", "share.max_walk_s", nil, nil, "600"),
        Row("1.12", "share.max_extra_wait_s", nil, nil, "300"),
        Row("1.12", "offer.show_destination", nil, nil, "after_accept"),
        Row("R83", "share.enabled", "false", "true", "true"),
        Row("R58", "offer.pickup", "exact", "zone", "exact"),
        Row("R75", "reservation.min_ahead_h", "2", "2", "2"),
        Row("R78", "reservation.allocate_before_s", "600", "600", "600"),
        Row("G1", "driver.stale_s", nil, nil, "90"),
        Row("G1", "driver.grace_s", nil, nil, "600"),
        Row("G2", "pending.every_s", nil, nil, "10"),
        Row("G3", "position.moving_s", nil, nil, "5"),
        Row("G3", "position.standing_s", nil, nil, "15"),
        Row("G4", "driver.max_ignored", nil, nil, "3"),
        Row("G8", "zone.leave_reports", nil, nil, "3"),
        Row("G8", "zone.leave_s", nil, nil, "15"),
        // Our addition: the documents assume one driver per taxi (R13), but a city may want more.
        Row("R13", "taxi.shared", "false", "false", "false"),
        Row("R111", "passenger.max_missed", "0", "0", "0"),
        Row("R111", "passenger.missed_days", "30", "30", "30"),
        // Our addition: the documents ask only the zone of the meeting point.
        Row("R47", "neighbours.max_s", "0", "0", "3600"),
        // [A] has the system verify every arrival; [B] has no such check.
        Row("R64", "reach.by_statement", "false", nil, "true"),
        // Both documents have reservations; [B] calls them a module that a city may leave out.
        Row("R109", "reserve.enabled", "true", "true", "true"),
        // [A] allows no operation of any kind before the city has confirmed its data.
        Row("R4", "setup.open", "[]", "[]", "[registration, planner, calendar, programs]"),
    ]

    @Test("each key has the values of the table", arguments: table)
    func values(row: Row) throws {
        let key = try #require(Policy.rows.first { $0.name == row.key })
        let columns = [(Policy.milanoA, row.a), (.milanoB, row.b), (.viavai, row.standard)]
        for (policy, expected) in columns {
            guard let expected else { continue }
            #expect(key.kind.text(of: policy[key.key]) == expected, "\(policy.name)")
        }
    }

    @Test("no key is decided without the specification, but for these")
    func complete() {
        let named = Set(Self.table.map(\.key))
        let others = Policy.rows.map(\.name).filter { !named.contains($0) }
        // I15, R36 and R89 require a number without giving it.
        #expect(others == ["boarding.max_attempts", "driver.notice_retries", "share.max_seats"])
    }

    @Test("each preset writes out every key, and the three differ")
    func whole() {
        for policy in Policy.shipped {
            let lines = policy.canonicalText.split(separator: "\n")
            // Keys added after the first logs are written only where they are used.
            let later: Set = [
                "taxi.shared", "passenger.max_missed", "passenger.missed_days", "neighbours.max_s",
                "reach.by_statement", "reserve.enabled", "setup.open",
            ]
            let used = policy == .milanoA ? 2 : 1
            #expect(lines.count == Policy.rows.count - later.count + used)
            for row in Self.table where !later.contains(row.key) {
                #expect(lines.contains { $0.hasPrefix(row.key + ": ") }, "\(policy.name)")
            }
        }
        #expect(Set(Policy.shipped.map(\.hash)).count == 3)
        #expect(Policy.shipped.map(\.name) == ["milano-a", "milano-b", "viavai"])
    }
}
