package import Chronology
package import Dispatching
package import Geo

/// A taxi in the operator's table.
package struct TaxiLine: Hashable, Sendable {
    package var taxi: TaxiReference
    /// The state of the taxi.
    package var stand: TaxiStand
    /// The name of its zone.
    package var zone: String?
    /// Its position in the queue, counted from 1; nil if it is not queued.
    package var place: Int?
    /// The request of its offer or ride.
    package var request: RequestNumber?
    /// When it last reported; nil if it has not since the service started.
    package var heard: Moment?
}

/// A taxi on the operator's map.
package struct TaxiMark: Hashable, Sendable {
    package var taxi: TaxiReference
    /// The state of the taxi.
    package var stand: TaxiStand
    /// When the position was reported.
    package var at: Moment
    package var place: Coordinate
}

extension TaxiService {
    /// Lists taxis in the order of their numbers.
    ///
    /// - Parameters:
    ///   - stand: only taxis in this state; nil for all.
    ///   - zone: only taxis in this zone; nil for all.
    ///   - last: the last number of the previous page.
    ///   - limit: the largest number of results.
    /// - Returns: the taxis, and whether there are more.
    /// - Throws: ``Failure/notServing``.
    package func taxis(
        _ stand: TaxiStand?,
        in zone: ZoneNumber? = nil,
        after last: TaxiNumber? = nil,
        limit: Int
    ) async throws -> (lines: [TaxiLine], hasMore: Bool) {
        try checkServing()
        var lines = try await dispatch.read { state in
            state.taxiLines(stand, in: zone, after: last, limit: limit + 1)
        }
        let hasMore = lines.count > limit
        if hasMore { lines.removeLast() }
        for index in lines.indices {
            lines[index].heard = intake.position(of: lines[index].taxi.number)?.at
            lines[index].zone = lines[index].zone.map { zoneName($0) }
        }
        return (lines, hasMore)
    }

    /// Lists the last positions of taxis on duty, for the operator's map.
    ///
    /// The position of a driver who is off duty is private (R130).
    ///
    /// - Parameters:
    ///   - stand: only taxis in this state; nil for all on duty.
    ///   - zone: only taxis in this zone; nil for all.
    ///   - limit: the largest number of results; more could not be distinguished on the map.
    /// - Returns: the taxis, and whether there are more.
    /// - Throws: ``Failure/notServing``.
    package func marks(
        _ stand: TaxiStand?,
        in zone: ZoneNumber? = nil,
        limit: Int
    ) async throws -> (marks: [TaxiMark], hasMore: Bool) {
        try checkServing()
        if stand == .off { return ([], false) }
        let lines = try await dispatch.read { state in
            state.taxiLines(stand, in: zone, after: nil, limit: limit + 1) { $0 != .off }
        }
        let marks = lines.prefix(limit).compactMap { line -> TaxiMark? in
            guard let seen = intake.position(of: line.taxi.number) else { return nil }
            return TaxiMark(taxi: line.taxi, stand: line.stand, at: seen.at, place: seen.place)
        }
        return (marks, lines.count > limit)
    }

    /// Returns a taxi for an operator; nil if there is no such taxi, or no longer.
    ///
    /// - Throws: ``Failure/notServing``.
    package func taxi(_ number: TaxiNumber) async throws -> (DriverView, TaxiStand)? {
        try checkServing()
        let found = try await dispatch.read { state in
            state.taxi(number).flatMap { taxi in state.stand(of: taxi).map { (taxi.code, $0) } }
        }
        guard let (code, stand) = found, let view = try await driver(number, code: code) else {
            return nil
        }
        return (view, stand)
    }

    /// Lists free taxis that can serve a request, nearest to its pickup point first.
    ///
    /// - Parameters:
    ///   - number: the number of the request.
    ///   - limit: the largest number of results.
    /// - Returns: the taxis with the straight-line distance in metres, nil if unknown.
    /// - Throws: ``Failure/notServing``.
    package func candidates(
        for number: RequestNumber,
        limit: Int
    ) async throws -> [(line: TaxiLine, metres: Int64?)] {
        try checkServing()
        let lines = try await dispatch.read { state -> [TaxiLine] in
            guard let needs = state.request(number)?.needs else { return [] }
            return state.taxiLines(.free, in: nil, after: nil, limit: .max).filter { line in
                state.taxi(line.taxi.number)?.capacity.covers(needs) == true
            }
        }
        let meeting = book[number]?.places?.meeting
        let ways = lines.map { line -> (line: TaxiLine, metres: Int64?) in
            guard let meeting, let place = intake.position(of: line.taxi.number)?.place else {
                return (line, nil)
            }
            return (line, Int64(place.distanceMetres(to: meeting).rounded()))
        }
        let sorted = ways.sorted { one, other in
            let (own, others) = (one.metres ?? .max, other.metres ?? .max)
            return own == others ? one.line.taxi.number < other.line.taxi.number : own < others
        }
        return Array(sorted.prefix(limit))
    }
}

extension Dispatcher {
    /// Returns the lines of taxis without data from positions.
    fileprivate func taxiLines(
        _ wanted: TaxiStand?,
        in zone: ZoneNumber?,
        after last: TaxiNumber?,
        limit: Int,
        where isShown: (TaxiStand) -> Bool = { _ in true }
    ) -> [TaxiLine] {
        var lines: [TaxiLine] = []
        let start = last.map { Int($0.rawValue) + 1 } ?? 0
        guard start < taxis.count else { return [] }
        for taxi in taxis[start...] where zone == nil || taxi.zone == zone {
            guard let stand = stand(of: taxi) else { continue }
            guard wanted.map({ $0 == stand }) ?? isShown(stand) else { continue }
            lines.append(line(of: taxi, stand))
            if lines.count == limit { break }
        }
        return lines
    }

    private func line(of taxi: Taxi, _ stand: TaxiStand) -> TaxiLine {
        let request: RequestNumber? =
            switch taxi.work {
            case .none: nil
            case .offer(let number), .ride(let number): number
            }
        return TaxiLine(
            taxi: TaxiReference(number: taxi.number, code: taxi.code),
            stand: stand,
            zone: taxi.zone.map { zones[Int($0.rawValue)].name },
            place: taxisAhead(of: taxi.number).map { $0 + 1 },
            request: request
        )
    }
}
