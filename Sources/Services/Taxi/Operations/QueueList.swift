package import Chronology
package import Dispatching

/// A page of the queue of a zone.
package struct QueueList: Sendable {
    /// The name of the zone.
    package var zone: String
    /// The number of taxis in the queue.
    package var count: Int
    /// The taxis of this page in queue order.
    package var lines: [QueueLine]
}

/// A queue position in the operator's table.
package struct QueueLine: Hashable, Sendable {
    /// The position, counted from 1.
    package var place: Int
    package var taxi: TaxiReference
    /// The state of the taxi.
    package var stand: TaxiStand
    /// The start of its wait; nil if it was queued before the service started.
    package var since: Moment?
    /// When the taxi last reported; nil if it has not since the service started.
    package var heard: Moment?
    /// The rank that determines the position.
    var rank: Rank

    /// Whether its turn was restored, which precedes all ordinary positions.
    package var isRestored: Bool { rank.isRestored }
}

extension TaxiService {
    /// Returns the queue of a zone in order, for an operator.
    ///
    /// - Parameters:
    ///   - zone: the number of the zone.
    ///   - place: the last position of the previous page; 0 for the first page.
    ///   - limit: the largest number of positions.
    /// - Returns: nil if there is no such zone.
    /// - Throws: ``Failure/notServing``.
    package func queue(
        of zone: ZoneNumber,
        after place: Int = 0,
        limit: Int
    ) async throws -> QueueList? {
        try checkServing()
        guard
            var found = try await dispatch.read({ $0.queue(of: zone, after: place, limit: limit) })
        else { return nil }
        found.zone = zoneName(found.zone)
        for index in found.lines.indices {
            let line = found.lines[index]
            let queued = newsLog.news(of: line.taxi.number).queued
            if let queued, queued.rank == line.rank { found.lines[index].since = queued.since }
            found.lines[index].heard = intake.position(of: line.taxi.number)?.at
        }
        return found
    }
}

extension Dispatcher {
    /// Returns the lines of a queue without data from positions and driver news.
    fileprivate func queue(of zone: ZoneNumber, after place: Int, limit: Int) -> QueueList? {
        guard zone.rawValue < zones.count else { return nil }
        let queue = zones[Int(zone.rawValue)]
        let shown = queue.entries.enumerated().dropFirst(max(0, place)).prefix(limit)
        let lines = shown.compactMap { index, entry -> QueueLine? in
            guard let taxi = taxi(entry.taxi), let stand = stand(of: taxi) else { return nil }
            return QueueLine(
                place: index + 1,
                taxi: TaxiReference(number: taxi.number, code: taxi.code),
                stand: stand,
                rank: entry.rank
            )
        }
        return QueueList(zone: queue.name, count: queue.entries.count, lines: lines)
    }
}
