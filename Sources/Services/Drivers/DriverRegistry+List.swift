package import Chronology
import Encoding
import Foundation
package import Identity
import Storage

/// A filter for the list of drivers.
package enum DriverFilter: String, CaseIterable, Sendable {
    case all
    /// Papers wait for an administrator and the e-mail address is proved.
    case awaiting
    case verified
    case refused
    case suspended
    /// A licence expires within ``DriverFilter/expiringDays``.
    case expiring
    /// A licence is no longer valid.
    case expired

    /// How many days before its end a licence counts as expiring.
    package static let expiringDays: Int32 = 90

    /// The SQL condition on the driver `d` and the person `p`.
    func condition(today: CivilDate) -> SQL {
        switch self {
        case .all: "1 = 1"
        case .awaiting:
            """
            p.holds_email = 1 AND (d.standing = 'awaiting' OR EXISTS (
                SELECT 1 FROM person_field f WHERE f.person = d.person
                    AND f.field = \(PersonField.proposal.rawValue)))
            """
        case .verified: "d.standing = 'verified'"
        case .refused: "d.standing = 'refused'"
        case .suspended: "p.suspended = 1"
        case .expiring:
            """
            (\(DriverRegistry.licencesEnd)) BETWEEN \(today)
                AND \(today.adding(days: Self.expiringDays))
            """
        case .expired: "(\(DriverRegistry.licencesEnd)) < \(today)"
        }
    }
}

extension DriverRegistry {
    /// Lists drivers in the order of their numbers.
    ///
    /// - Parameters:
    ///   - filter: which drivers to list.
    ///   - person: the last driver of the previous page; nil for the first page.
    ///   - limit: the largest number of results.
    ///   - now: the current time, which decides whether licences are valid.
    /// - Returns: the drivers.
    /// - Throws: any database error.
    package func list(
        _ filter: DriverFilter = .all,
        after person: PersonNumber? = nil,
        limit: Int = 100,
        at now: Moment
    ) async throws -> [Driver] {
        let last = person ?? PersonNumber(rawValue: 0)
        let condition = filter.condition(today: accounts.settings.today(now))
        let pairs = try await data.read { transaction in
            try transaction.rows(
                """
                SELECT d.person AS person, d.taxi AS taxi
                FROM driver d JOIN person p ON p.number = d.person
                WHERE d.person > \(last) AND \(condition)
                ORDER BY d.person LIMIT \(limit)
                """
            ).map { try Self.pair($0) }
        }
        return try await list(pairs)
    }

    /// Counts the drivers that match each filter.
    package func count(at now: Moment) async throws -> [DriverFilter: Int] {
        let today = accounts.settings.today(now)
        return try await data.read { transaction in
            var counts: [DriverFilter: Int] = [:]
            for filter in DriverFilter.allCases {
                counts[filter] = try transaction.count(
                    """
                    SELECT count(*) AS count FROM driver d JOIN person p ON p.number = d.person
                    WHERE \(filter.condition(today: today))
                    """
                )
            }
            return counts
        }
    }

    /// Returns the drivers with these numbers, in their order; numbers of other
    /// people are left out.
    package func list(of people: [PersonNumber]) async throws -> [Driver] {
        let pairs = try await data.read { transaction in
            try people.compactMap { person in
                try transaction.row("SELECT person, taxi FROM driver WHERE person = \(person)")
                    .map { try Self.pair($0) }
            }
        }
        return try await list(pairs)
    }

    /// Lists the drivers of a taxi according to the papers, in the order of their numbers.
    ///
    /// - Parameter taxi: the taxi.
    /// - Returns: an empty list if the taxi is deleted.
    /// - Throws: any database error.
    package func people(driving taxi: PersonNumber) async throws -> [PersonNumber] {
        try await data.read { transaction in
            try transaction.rows(
                "SELECT person FROM driver WHERE taxi = \(taxi) ORDER BY person LIMIT 50"
            ).map { try $0.value("person", as: PersonNumber.self) }
        }
    }

    private static func pair(_ row: Row) throws -> (person: PersonNumber, taxi: PersonNumber) {
        (person: try row.value("person"), taxi: try row.value("taxi"))
    }

    private func list(
        _ pairs: [(person: PersonNumber, taxi: PersonNumber)]
    ) async throws -> [Driver] {
        let found = try await keys.keys(of: pairs.flatMap { [$0.person, $0.taxi] })
        return try await data.read { transaction in
            try pairs.compactMap { pair in
                try found[pair.person].flatMap { key in
                    try Self.driver(key, found[pair.taxi], in: transaction)
                }
            }
        }
    }

    /// Finds the drivers of a taxi by its code or plate, or a driver by licence or mobile
    /// number, in any spelling.
    package func find(_ text: String) async throws -> [PersonNumber] {
        let formats = settings.formats
        func digest(_ value: String?, _ domain: ServerSecret.Domain) -> [UInt8] {
            value.map { secret.digest($0, of: domain) } ?? []
        }
        let code = digest(formats.taxiCode(text), .taxiCode)
        let plate = digest(formats.plate(text), .plate)
        let taxiLicence = digest(formats.taxiLicence(text), .taxiLicence)
        let drivingLicence = digest(formats.drivingLicence(text), .drivingLicence)
        let mobile = digest(accounts.settings.phones.number(text), .mobile)
        return try await data.read { transaction in
            try transaction.rows(
                """
                SELECT d.person AS person FROM driver d JOIN taxi t ON t.number = d.taxi
                WHERE t.code_key = \(code) OR t.plate_key = \(plate)
                    OR d.taxi_licence_key = \(taxiLicence)
                    OR d.driving_licence_key = \(drivingLicence) OR d.mobile_key = \(mobile)
                ORDER BY d.person
                """
            ).map { try $0.value("person") }
        }
    }

    /// Finds drivers by the beginning of their names, ignoring case and accents.
    ///
    /// Names are encrypted and cannot be indexed, so all are decrypted: 0.1 s for 5,000 drivers.
    ///
    /// - Parameters:
    ///   - text: the beginning of the name, the surname, or both in either order.
    ///   - limit: the largest number of results.
    /// - Returns: the drivers in the order of their numbers.
    /// - Throws: any database error.
    package func find(named text: String, limit: Int) async throws -> [PersonNumber] {
        let wanted = text.trimmingWhiteSpace().searchable
        guard !wanted.isEmpty else { return [] }
        let rows = try await data.read(within: .seconds(60)) { transaction in
            try transaction.rows(
                """
                SELECT f.person AS person, f.field AS field, f.sealed AS sealed
                FROM person_field f JOIN driver d ON d.person = f.person
                WHERE f.field IN ('name', 'surname') ORDER BY f.person, f.field
                """
            ).map { row in
                (
                    person: try row.value("person", as: PersonNumber.self),
                    field: try row.value("field", as: String.self),
                    sealed: try row.value("sealed", as: [UInt8].self)
                )
            }
        }
        let keys = try await keys.keys(of: Set(rows.map(\.person)).sorted())
        var names: [PersonNumber: [String]] = [:]
        for row in rows {
            guard let key = keys[row.person] else { continue }
            names[row.person, default: []].append(
                try key.open(row.sealed, as: row.field).searchable
            )
        }
        let matching = names.filter { _, parts in
            let both = [parts, parts.reversed()].map { $0.joined(separator: " ") }
            return (parts + both).contains { $0.hasPrefix(wanted) }
        }
        return Array(matching.keys.sorted().prefix(limit))
    }
}

extension String {
    /// The text without differences of case and accents.
    fileprivate var searchable: String {
        folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
}
