package import Chronology
package import Dispatching
package import Localization
package import Storage

/// An operator's message to the drivers of a zone, to all drivers or to one.
///
/// It is displayed on the drivers' pages until it ends; reading it is not acknowledged.
package struct DriverNotice: Hashable, Sendable {
    /// The drivers who see a notice.
    package enum Audience: Hashable, Sendable {
        case everybody
        /// Drivers who are in the zone with this name while the notice is valid; unlike zone
        /// numbers, names stay the same when zones change.
        case zone(String)
        /// The driver of one taxi.
        case taxi(TaxiNumber)
    }

    /// Its number; 0 until it is stored.
    package var number: Int64
    package var audience: Audience
    /// When it was created.
    package var made: Moment
    /// The end of its validity.
    package var until: Moment
    /// What it says, in one language at least.
    package var text: WrittenText

    /// Creates a notice that is not stored yet.
    package init(to audience: Audience, made: Moment, until: Moment, text: WrittenText) {
        number = 0
        self.audience = audience
        self.made = made
        self.until = until
        self.text = text
    }
}

extension TaxiService {
    /// The number of notices that one driver sees, the newest.
    package static let noticesShown = 3
    /// The length of the operator's list of notices.
    private static let noticesListed = 100
    /// How long an expired notice is kept, in seconds; the audit trail records it permanently.
    private static let noticesKept: Int64 = 2_592_000

    /// Publishes a notice, with further statements of the same transaction.
    package func give(_ notice: DriverNotice, with further: [SQL]) async throws {
        try checkServing()
        let (zone, taxi): (String?, Int64?) =
            switch notice.audience {
            case .everybody: (nil, nil)
            case .zone(let name): (name, nil)
            case .taxi(let number): (nil, number.stored)
            }
        let name = store.log.name
        let insertion: SQL = """
            INSERT INTO driver_notice (log, number, zone, taxi, made, until, english, italian)
            SELECT \(name), coalesce(max(number), 0) + 1, \(zone), \(taxi),
                \(notice.made.milliseconds), \(notice.until.milliseconds), \(notice.text.line), ''
            FROM driver_notice WHERE log = \(name)
            """
        let old = notice.made.adding(seconds: -Self.noticesKept)
        // The newest notice stays, because its number is the last one assigned.
        let deletion: SQL = """
            DELETE FROM driver_notice WHERE log = \(name) AND until < \(old.milliseconds)
                AND number < (SELECT max(number) FROM driver_notice WHERE log = \(name))
            """
        try await store.database.write { transaction in
            let changed = try transaction.execute([deletion, insertion] + further)
            precondition(changed[1] == 1, "A notice was not stored as exactly one row.")
        }
    }

    /// Withdraws a notice, with further statements of the same transaction.
    package func withdrawNotice(
        _ number: Int64,
        at now: Moment,
        with further: [SQL]
    ) async throws {
        try checkServing()
        let name = store.log.name
        try await store.database.write { transaction in
            let taken = try transaction.execute(
                """
                UPDATE driver_notice SET until = \(now.milliseconds)
                WHERE log = \(name) AND number = \(number) AND until > \(now.milliseconds)
                """
            )
            precondition(taken <= 1, "Two notices have the same number.")
            // If the notice has already ended, nothing is recorded.
            if taken > 0 { try transaction.execute(further) }
        }
    }

    /// Returns the taxis whose drivers currently see a notice.
    ///
    /// - Parameter audience: the audience of the notice.
    /// - Returns: nil for all taxis.
    /// - Throws: `DispatchService.Failure.notServing`.
    package func taxis(of audience: DriverNotice.Audience) async throws -> [TaxiNumber]? {
        switch audience {
        case .everybody: nil
        case .taxi(let number): [number]
        case .zone(let name):
            try await dispatch.read { state in
                state.taxis.filter { taxi in
                    taxi.zone.map { state.zones[Int($0.rawValue)].name } == name
                }.map(\.number)
            }
        }
    }

    /// Lists the notices that are valid at a given time, newest first.
    package func notices(at now: Moment) async throws -> [DriverNotice] {
        try await notices("until > \(now.milliseconds)", limit: Self.noticesListed)
    }

    /// Lists the notices for a driver at a given time, newest first.
    ///
    /// - Parameters:
    ///   - taxi: the driver's taxi.
    ///   - zone: the name of the driver's zone; nil outside all zones.
    ///   - now: the current time.
    /// - Returns: at most ``noticesShown`` notices.
    /// - Throws: any `DatabaseFailure`.
    package func notices(
        for taxi: TaxiNumber,
        in zone: String?,
        at now: Moment
    ) async throws -> [DriverNotice] {
        try await notices(
            """
            until > \(now.milliseconds) AND (taxi = \(taxi.stored)
                OR taxi IS NULL AND (zone IS NULL OR zone = \(zone ?? "")))
            """,
            limit: Self.noticesShown
        )
    }

    private func notices(_ condition: SQL, limit: Int) async throws -> [DriverNotice] {
        try await store.database.read(isBrief: true) { [name = store.log.name] transaction in
            try transaction.rows(
                """
                SELECT * FROM driver_notice WHERE log = \(name) AND \(condition)
                ORDER BY number DESC LIMIT \(limit)
                """
            ).map { try DriverNotice($0) }
        }
    }
}

extension DriverNotice {
    fileprivate init(_ row: Row) throws(DatabaseFailure) {
        number = try row.value("number")
        made = Moment(milliseconds: try row.value("made"))
        until = Moment(milliseconds: try row.value("until"))
        let line: String = try row.value("english")
        text = WrittenText(line: line)
        if text.isEmpty {
            // A notice of a server that stored each of two languages in its column.
            text = WrittenText([.english: line, .italian: try row.value("italian")])
        }
        let taxi: Int64? = try row.value("taxi")
        let zone: String? = try row.value("zone")
        if let taxi {
            audience = .taxi(TaxiNumber(stored: taxi))
        } else {
            audience = zone.map { .zone($0) } ?? .everybody
        }
    }
}

extension Migration {
    /// The table of notices to drivers.
    ///
    /// The column `english` has the text in all languages (``WrittenText``); `italian` is empty
    /// except in notices of servers that knew two languages.
    static let driverNotices: [SQL] = [
        """
        CREATE TABLE driver_notice (
            log \(.text) NOT NULL REFERENCES log (name),
            number \(.integer) NOT NULL CHECK (number > 0),
            zone \(.text),
            taxi \(.integer),
            made \(.integer) NOT NULL,
            until \(.integer) NOT NULL,
            english \(.text) NOT NULL,
            italian \(.text) NOT NULL,
            PRIMARY KEY (log, number)
        ) \(.strict)
        """,
        "CREATE INDEX driver_notice_until ON driver_notice (log, until)",
    ]
}
