package import Chronology
package import Dispatching
package import Geo

/// A taxi as a line of the operator's table.
package struct TaxiLine: Hashable, Sendable {
    /// The taxi.
    package var taxi: TaxiReference
    /// What it does.
    package var stand: TaxiStand
    /// The zone that it is in.
    package var zone: String?
    /// Its place in the queue, from 1; nil where it is in none.
    package var place: Int?
    /// What it is asked for, or drives for.
    package var request: RequestNumber?
    /// When it was heard last; nil where it was not since the start of the service.
    package var heard: Moment?
}

/// A taxi on the operator's map.
package struct TaxiMark: Hashable, Sendable {
    /// The taxi.
    package var taxi: TaxiReference
    /// What it does.
    package var stand: TaxiStand
    /// When it was there.
    package var at: Moment
    /// Where.
    package var place: Coordinate
}

extension TaxiService {
    /// The taxis that do something, in the order of their numbers.
    ///
    /// - Parameters:
    ///   - stand: what; nil for all.
    ///   - zone: in which zone; nil for all.
    ///   - last: only those after this number.
    ///   - limit: how many at most.
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

    /// Where taxis were seen last, for the operator's map: those on duty.
    ///
    /// Where somebody is after his shift is nobody's business (R130).
    ///
    /// - Parameters:
    ///   - stand: only those that do this; nil for all that are on duty.
    ///   - zone: only those in this zone; nil for all.
    ///   - limit: how many at most; more could not be told apart.
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

    /// A taxi, for an operator; nil where there is no such taxi, or no longer.
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

    /// Free taxis that can carry a request, the nearest to its meeting point first.
    ///
    /// - Parameters:
    ///   - number: the request.
    ///   - limit: how many at most.
    /// - Returns: the taxis with the straight way in metres, nil where it is unknown.
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
    /// Lines of taxis, without what only positions tell.
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
