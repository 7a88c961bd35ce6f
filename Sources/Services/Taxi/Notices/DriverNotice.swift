package import Chronology
package import Dispatching
package import Storage

/// What an operator tells drivers: those of a zone, all of them, or one.
///
/// It stands on their pages until it ends. Nobody is asked whether he has read it.
package struct DriverNotice: Hashable, Sendable {
    /// Who is told.
    package enum Audience: Hashable, Sendable {
        /// All drivers.
        case everybody
        /// Those who are in a zone of that name while it holds: names outlive a redraw, numbers do
        /// not.
        case zone(String)
        /// The driver of one taxi.
        case taxi(TaxiNumber)
    }

    /// Its number; 0 before it has one.
    package var number: Int64
    /// Who is told.
    package var audience: Audience
    /// When it was made.
    package var made: Moment
    /// Until when it holds.
    package var until: Moment
    /// What it says in English; empty where it says it in Italian only.
    package var english: String
    /// What it says in Italian; empty where it says it in English only.
    package var italian: String

    /// A notice that is to be given out.
    package init(
        to audience: Audience,
        made: Moment,
        until: Moment,
        english: String,
        italian: String
    ) {
        number = 0
        self.audience = audience
        self.made = made
        self.until = until
        self.english = english
        self.italian = italian
    }
}

extension TaxiService {
    /// How many notices one driver is shown: the newest.
    package static let noticesShown = 3
    /// How many notices a list has at most.
    private static let noticesListed = 100
    /// For how long a notice is kept after its end, in seconds: what was said and done stands in
    /// the log of acts.
    private static let noticesKept: Int64 = 2_592_000

    /// Gives a notice out, with what is written in the same transaction.
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
                \(notice.made.milliseconds), \(notice.until.milliseconds), \(notice.english),
                \(notice.italian)
            FROM driver_notice WHERE log = \(name)
            """
        let old = notice.made.adding(seconds: -Self.noticesKept)
        // The newest stays, whose number is the last that was given.
        let deletion: SQL = """
            DELETE FROM driver_notice WHERE log = \(name) AND until < \(old.milliseconds)
                AND number < (SELECT max(number) FROM driver_notice WHERE log = \(name))
            """
        try await store.database.write { try $0.execute([deletion, insertion] + further) }
    }

    /// Takes a notice back, with what is written in the same transaction.
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
            // Where it has ended already nothing was done.
            if taken > 0 { try transaction.execute(further) }
        }
    }

    /// The taxis on whose drivers' pages a notice stands just now.
    ///
    /// - Parameter audience: who is told.
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

    /// The notices that hold at a moment, the newest first.
    package func notices(at now: Moment) async throws -> [DriverNotice] {
        try await notices("until > \(now.milliseconds)", limit: Self.noticesListed)
    }

    /// What a driver is told at a moment, the newest first.
    ///
    /// - Parameters:
    ///   - taxi: his taxi.
    ///   - zone: what the zone is called that he is in; nil where he is in none.
    ///   - now: the moment.
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
        english = try row.value("english")
        italian = try row.value("italian")
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
    /// What operators tell drivers.
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
