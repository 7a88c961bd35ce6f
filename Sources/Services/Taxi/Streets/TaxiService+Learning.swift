package import Chronology
package import Fares
package import Storage
package import Streets
import Synchronization

extension TaxiService {
    /// The interval at which drives are matched with streets, in milliseconds.
    static let matchingMilliseconds: Int64 = 1_000
    /// The number of positions that are enough for an interval.
    ///
    /// At 0.4 ms each they take a twentieth of a processor. A metropolis learns from a part of its
    /// drives.
    static let matchedLimit = 120

    /// The speeds of streets that planners use, learned from the taxis' drives.
    ///
    /// They are taken from the table once a day, in the morning, because days are planned again
    /// after each change.
    package var streetSpeeds: LearnedSpeeds { inForce.speeds.withLock { $0.learned } }

    /// Switches to the streets of a new city file for what is learned from now on.
    package func learn(on streets: StreetNetwork) async {
        await learning.renew(streets)
    }

    /// The named streets that are slower than others at this hour, the slowest first.
    package func slowStreets(at now: Moment) async -> [SlowStreet] {
        await learning.slowStreets(streetSpeeds, at: now.instant)
    }

    /// Learns the speeds of streets until the task is cancelled, which gives way to all others.
    func watchDrives() async {
        while !Task.isCancelled {
            do {
                try await clock.pause(Self.matchingMilliseconds)
                try await learnSpeeds()
            } catch {
                // The task ends, or the database is away: the next block is stored with this one.
                continue
            }
        }
    }

    /// Matches drives, and stores what was learned when a block of the day is over.
    func learnSpeeds() async throws {
        let learned = await learning.learn(from: intake, Self.matchedLimit, at: clock.now())
        if let learned { try await store.save(learned) }
    }

    /// Reads what was learned, if another day has begun to be; all servers of the city do.
    ///
    /// - Throws: any `DatabaseFailure`; what was read last goes on to hold.
    package func refreshStreetSpeeds() async throws {
        let known = inForce.speeds.withLock { $0.day }
        guard let day = try await store.streetSpeedsDay(), day != known else { return }
        let found = try await store.streetSpeeds()
        inForce.speeds.withLock { $0 = (day, found) }
    }
}

extension RideStore {
    /// The number of parts that are written in one transaction, for which others wait.
    private static let partsAtOnce = 8

    /// Stores what was learned of streets.
    func save(_ learned: LearnedSpeeds) async throws {
        let name = log.name
        let parts = Array(0..<LearnedSpeeds.partCount)
        for first in stride(from: 0, to: parts.count, by: Self.partsAtOnce) {
            let statements = parts[first..<min(parts.count, first + Self.partsAtOnce)].map {
                part -> SQL in
                """
                INSERT INTO street_speed (log, part, day, learned)
                VALUES (\(name), \(Int64(part)), \(Int64(learned.day)), \(learned.bytes(of: part)))
                ON CONFLICT (log, part) DO UPDATE SET day = excluded.day,
                    learned = excluded.learned
                """
            }
            try await database.write { try $0.execute(statements) }
        }
    }

    /// The last day of which something was stored; nil if nothing was.
    func streetSpeedsDay() async throws -> Int64? {
        try await database.read(isBrief: true) { [name = log.name] transaction in
            // The last part is written last, so that all others are there.
            try transaction.row(
                """
                SELECT day FROM street_speed
                WHERE log = \(name) AND part = \(Int64(LearnedSpeeds.partCount - 1))
                """
            )?.value("day")
        }
    }

    /// Reads what was learned of streets.
    func streetSpeeds() async throws -> LearnedSpeeds {
        try await database.read { [name = log.name] transaction in
            let parts = try transaction.rows(
                "SELECT learned FROM street_speed WHERE log = \(name) ORDER BY part"
            ).map { try $0.value("learned", as: [UInt8].self) }
            return LearnedSpeeds(parts: parts) ?? LearnedSpeeds()
        }
    }
}

extension Migration {
    /// The table of speeds that were learned of streets, in parts (`LearnedSpeeds.bytes`).
    ///
    /// Nothing in it says which taxis drove.
    package static let streetSpeeds: [Migration] = [
        Migration(
            "0300-create-street-speed",
            [
                """
                CREATE TABLE street_speed (
                    log \(.text) NOT NULL REFERENCES log (name),
                    part \(.integer) NOT NULL CHECK (part BETWEEN 0 AND 63),
                    day \(.integer) NOT NULL CHECK (day BETWEEN 0 AND 65535),
                    learned \(.bytes) NOT NULL,
                    PRIMARY KEY (log, part)
                ) \(.strict)
                """
            ]
        )
    ]
}
