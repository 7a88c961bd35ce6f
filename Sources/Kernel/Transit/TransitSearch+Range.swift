extension TransitSearch {
    /// The times of all best journeys from one place to many that begin within a range of moments.
    ///
    /// - Parameters:
    ///   - query: the places and the range.
    ///   - day: the day.
    /// - Returns: for each place the journeys that no other beats in departure, arrival and number
    ///   of trips, not even one that leaves after the range; the latest departure first.
    public mutating func departures(_ query: RangeQuery, in day: LaidOutDay) -> [Connection] {
        var all: [Connection] = []
        Self.search(query, in: day.forward, &forward) { raptor, moment, found in
            all.append(
                Connection(
                    end: found.end,
                    departure: moment,
                    arrival: found.arrival,
                    trips: found.trips,
                    walkMetres: raptor.walkMetres(of: found, at: moment, query, in: day.forward)
                )
            )
        }
        return all
    }

    /// The mirror of ``departures(_:in:)``: journeys from many places to one that end within a
    /// range of moments.
    ///
    /// - Returns: for each place its journeys, the earliest arrival first.
    public mutating func arrivals(_ query: RangeQuery, in day: LaidOutDay) -> [Connection] {
        var turned = query
        turned.moments = (0 &- query.moments.upperBound)...(0 &- query.moments.lowerBound)
        turned.access = query.access.mirrored
        turned.conditions = query.conditions.mirrored
        turned.ends = query.ends.map { RangeQuery.End(ways: $0.ways.mirrored, span: $0.span) }
        var all: [Connection] = []
        Self.search(turned, in: day.backward, &backward) { raptor, moment, found in
            all.append(
                Connection(
                    end: found.end,
                    departure: 0 &- found.arrival,
                    arrival: 0 &- moment,
                    trips: found.trips,
                    walkMetres: raptor.walkMetres(of: found, at: moment, turned, in: day.backward)
                )
            )
        }
        return all
    }

    /// The earliest arrivals of vehicles at all platforms.
    ///
    /// - Parameters:
    ///   - query: where and when journeys begin, and before when they end; its egress is ignored.
    ///   - day: the day.
    /// - Returns: for each platform the earliest arrival, ``Raptor/never`` if there is none.
    public mutating func arrivals(_ query: Raptor.Query, in day: LaidOutDay) -> [Int32] {
        var everywhere = query
        everywhere.egress = []
        // In its last round a search only rides to where journeys end, which is nowhere here.
        everywhere.maxTrips += 1
        var none = LabelBags<NoCriterion>()
        forward.search(everywhere, in: day.forward, carrying: NoCriterion(), &none)
        let window = day.forward.window
        guard !window.arrivals.isEmpty else {
            return Array(repeating: Raptor.never, count: window.platformCount)
        }
        let start = forward.layout.arrivals
        return Array(forward.numbers[start..<(start + window.platformCount)])
    }

    /// All best journeys to the only end of a query, with the times that ``departures(_:in:)``
    /// finds; for each the one that wastes least time, as for a query for one moment.
    public mutating func journeys(_ query: RangeQuery, in day: LaidOutDay) -> [TransitJourney] {
        precondition(query.ends.count == 1, "Journeys lead to one place.")
        return Self.journeys(query, in: day, &forward, &backward)
    }

    private static func journeys(
        _ query: RangeQuery,
        in day: LaidOutDay,
        _ first: inout Raptor,
        _ second: inout Raptor
    ) -> [TransitJourney] {
        var journeys: [TransitJourney] = []
        var none = LabelBags<NoCriterion>()
        search(query, in: day.forward, &first) { first, moment, found in
            let trips = found.trips
            let whole = Raptor.Query(
                access: query.access,
                egress: query.ends[found.end].ways,
                start: moment,
                bound: Raptor.never,
                maxTrips: trips,
                conditions: query.conditions
            )
            let opposite = opposite(whole, found.arrival, trips)
            second.search(
                opposite,
                in: day.backward,
                carrying: NoCriterion(),
                &none,
                limits: Raptor.Limits(search: first, bags: LabelBags(), trips: trips)
            )
            let journey = second.journey(
                round: trips,
                of: opposite,
                in: day.backward.window,
                isMirrored: true
            )
            if let journey { journeys.append(journey) }
        }
        return journeys
    }

    /// Searches a range, the latest moment first.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - space: the window.
    ///   - raptor: the workspace.
    ///   - body: receives the workspace after each moment, the moment, and what it found.
    private static func search(
        _ query: RangeQuery,
        in space: LaidOutWindow,
        _ raptor: inout Raptor,
        _ body: (Raptor, Int32, RangeLabels.Found) -> Void
    ) {
        guard query.maxTrips > 0, !space.window.arrivals.isEmpty else { return }
        var labels = RangeLabels(query, in: space)
        guard !labels.events.isEmpty, !labels.endPlatforms.isEmpty else { return }
        raptor.prepare(for: space.window, rounds: query.maxTrips, keepsArrivals: true)
        // Bounds to many places would be bounds to the nearest one, and help little.
        let stepFree = query.conditions.wheelchair
        let only = query.ends.count == 1 ? query.ends.first : nil
        raptor.setRemaining(
            only?.ways ?? [],
            only.map { _ in space.lowerBounds(stepFree: stepFree) }
        )
        let scanned = Raptor.Query(
            access: [],
            egress: [],
            start: query.moments.lowerBound,
            bound: Raptor.never,
            maxTrips: query.maxTrips,
            conditions: query.conditions
        )
        var none = LabelBags<NoCriterion>()
        raptor.withScan(scanned, space, NoCriterion(), &none, nil) { scan in
            scan.mark(labels, 1)
            scan.seed(at: query.moments.upperBound &+ 1, &labels)
        }
        labels.found.removeAll(keepingCapacity: true)
        var start = 0
        while start < labels.events.count {
            let moment = labels.events[start].moment
            var end = start
            while end < labels.events.count, labels.events[end].moment == moment { end += 1 }
            raptor.withScan(scanned, space, NoCriterion(), &none, nil) { scan in
                scan.step(labels.events[start..<end], &labels)
            }
            for found in labels.found { body(raptor, moment, found) }
            labels.found.removeAll(keepingCapacity: true)
            start = end
        }
        raptor.withScan(scanned, space, NoCriterion(), &none, nil) { scan in
            scan.mark(labels, 0)
        }
    }
}
