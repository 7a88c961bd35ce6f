package import Chronology
package import Dispatching

/// The queue of a zone, as far as a page shows it.
package struct QueueList: Sendable {
    /// What the zone is called.
    package var zone: String
    /// How many taxis wait in it.
    package var count: Int
    /// Some of them, in the order in which they are asked.
    package var lines: [QueueLine]
}

/// A place in the queue of a zone as a line of the operator's table.
package struct QueueLine: Hashable, Sendable {
    /// The place, from 1.
    package var place: Int
    /// The taxi that has it.
    package var taxi: TaxiReference
    /// What the taxi does.
    package var stand: TaxiStand
    /// Since when it waits; nil where it got its place before the start of the service.
    package var since: Moment?
    /// When it was heard last; nil where it was not since the start of the service.
    package var heard: Moment?
    /// What gives it its place.
    var rank: Rank

    /// Whether its turn was given back, which comes before all ordinary places.
    package var isRestored: Bool { rank.isRestored }
}

extension TaxiService {
    /// The queue of a zone in order, for an operator.
    ///
    /// - Parameters:
    ///   - zone: the zone.
    ///   - place: only those behind this place; 0 for all.
    ///   - limit: how many at most.
    /// - Returns: nil where there is no such zone.
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
            let queued = chronicle.news(of: line.taxi.number).queued
            if let queued, queued.rank == line.rank { found.lines[index].since = queued.since }
            found.lines[index].heard = intake.position(of: line.taxi.number)?.at
        }
        return found
    }
}

extension Dispatcher {
    /// Lines of a queue, without what only positions and the news of drivers tell.
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
