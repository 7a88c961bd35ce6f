import Chronology
import Dispatching
import Storage

/// What was learned of a city's demand, and up to when.
struct LearnedDemand: Sendable {
    /// How many days count; older ones weigh less than a tenth of the last week.
    static let days: Int64 = 70
    /// The milliseconds of a quarter of an hour.
    static let quarterMilliseconds: Int64 = 900_000

    /// The division that gives the zones their numbers.
    let zonesHash: UInt64
    /// The first quarter since 1970-01-01 UTC that was not observed yet.
    private(set) var next: Int64
    private(set) var forecast: DemandForecast

    /// Creates what is known at the beginning of a quarter: nothing.
    init(zones: Int, hash: UInt64, from quarter: Int64) {
        zonesHash = hash
        next = quarter
        forecast = DemandForecast(zoneCount: zones)
    }

    /// The number of the quarter that contains a moment.
    static func quarter(of moment: Moment) -> Int64 {
        moment.milliseconds / quarterMilliseconds
    }

    /// Observes all quarters up to one, in the city's local time.
    mutating func observe(_ counts: ZoneCounts, until end: Int64, in zone: ZoneTable) {
        precondition(end >= next, "A quarter was to be observed twice.")
        while next < end {
            let start = Moment(milliseconds: next * Self.quarterMilliseconds)
            forecast.observe(
                LocalQuarter(of: start, in: zone),
                requests: counts.requests[next] ?? Self.none(forecast.zoneCount),
                freeTaxis: counts.free[next]
            )
            next += 1
        }
    }

    private static func none(_ count: Int) -> [Int32] { Array(repeating: 0, count: count) }
}

/// What was counted in each zone, by quarters since 1970-01-01 UTC; a quarter in which nothing was
/// counted is missing.
struct ZoneCounts: Sendable {
    /// The requests, and the reservations for that time.
    var requests: [Int64: [Int32]] = [:]
    /// The free taxis at the end of the quarter.
    var free: [Int64: [Int32]] = [:]
}

extension RideStore {
    /// Counts requests and free taxis in quarters of an hour.
    ///
    /// - Parameters:
    ///   - quarters: the quarters since 1970-01-01 UTC.
    ///   - zones: the number of zones.
    ///   - hash: the division of the city; free taxis of another one are left out.
    /// - Returns: the counts of quarters in which there was something to count.
    /// - Throws: any `DatabaseFailure`.
    func zoneCounts(_ quarters: Range<Int64>, zones: Int, hash: UInt64) async throws -> ZoneCounts {
        let length = LearnedDemand.quarterMilliseconds
        let (start, end) = (quarters.lowerBound * length, quarters.upperBound * length)
        let (asked, free) = try await database.read(within: .seconds(60)) {
            [name = log.name] transaction in
            let asked = try transaction.rows([
                """
                SELECT zone, asked / \(length) AS quarter, COUNT(*) AS count FROM ride
                WHERE log = \(name) AND due IS NULL AND zone IS NOT NULL
                    AND asked >= \(start) AND asked < \(end)
                GROUP BY zone, quarter
                """,
                """
                SELECT zone, due / \(length) AS quarter, COUNT(*) AS count FROM ride
                WHERE log = \(name) AND zone IS NOT NULL AND due >= \(start) AND due < \(end)
                GROUP BY zone, quarter
                """,
            ]).joined().map(Self.zoneCount)
            let free = try transaction.rows(
                """
                SELECT zone, quarter, free AS count FROM zone_free
                WHERE log = \(name) AND zones = \(Int64(bitPattern: hash))
                    AND quarter >= \(quarters.lowerBound) AND quarter < \(quarters.upperBound)
                """
            ).map(Self.zoneCount)
            return (asked, free)
        }
        var counts = ZoneCounts()
        let none = Array(repeating: Int32(0), count: zones)
        for row in asked where row.zone < zones {
            counts.requests[row.quarter, default: none][row.zone] += row.count
        }
        for row in free where row.zone < zones {
            counts.free[row.quarter, default: none][row.zone] = row.count
        }
        return counts
    }

    private static func zoneCount(
        _ row: Row
    ) throws -> (zone: Int, quarter: Int64, count: Int32) {
        let zone: Int64 = try row.value("zone")
        let count: Int64 = try row.value("count")
        return (Int(clamping: zone), try row.value("quarter"), Int32(clamping: count))
    }

    /// Stores the free taxis of all zones at the end of a quarter, and deletes those that no longer
    /// count.
    func noteFree(_ free: [Int32], in quarter: Int64, hash: UInt64) async throws {
        let perDay: Int64 = 96
        try await database.write { [name = log.name] transaction in
            try transaction.execute(
                free.enumerated().map { zone, count in
                    """
                    INSERT INTO zone_free (log, quarter, zone, zones, free) VALUES (
                        \(name), \(quarter), \(Int64(zone)), \(Int64(bitPattern: hash)),
                        \(Int64(count))
                    ) ON CONFLICT (log, quarter, zone) DO UPDATE SET
                        zones = excluded.zones, free = excluded.free
                    """
                } + [
                    """
                    DELETE FROM zone_free WHERE log = \(name)
                        AND quarter < \(quarter - LearnedDemand.days * perDay)
                    """
                ]
            )
        }
    }
}
