import Columns

/// Searches with a ``Criterion`` that has an amount, in the same rounds, with the same routes,
/// changes and bounds.
///
/// A search with two criteria has one time for each platform, and rides one departure of a route;
/// this one has a bag of labels for each platform, and several riders on a route. A rider is
/// dropped if a journey that was found beats the best that this rider can still achieve, by the
/// lower bound of the remaining time and the least amount of any egress.
extension RaptorScan {
    /// Starts with the labels of the ways from the origin.
    mutating func beginLabels(_ query: Raptor.Query) {
        for (number, path) in bags.egress.enumerated() {
            let platform = path.platform.row
            if egress[platform] == SearchLayout.noEgress {
                egress[platform] = Int32(truncatingIfNeeded: number)
            }
            setLeadsThere(platform, 1)
        }
        lowerBound(query)
        for (number, path) in query.access.enumerated() {
            become(
                path.platform.row,
                readyAt: path.end(leavingAt: query.start),
                carrying: Carried.amount(of: path),
                from: -1 - Int32(truncatingIfNeeded: number)
            )
        }
    }

    /// Rides along a route, on every departure that may improve the result.
    mutating func scanLabels(_ route: Int, _ range: CallRange) {
        let line = RouteRows(rows, route)
        let boards = wheelchair ? SearchTables.boardsWheelchair : SearchTables.boards
        bags.riders.removeAll(keepingCapacity: true)
        var call = range.start
        while call < range.end {
            let platform = Int(rows.calls[call] >> SearchTables.callShift)
            if !bags.riders.isEmpty { alight(route, line, call, platform, until: range.latest) }
            if call <= range.lastBoarding {
                if isHopeful(fresh[platform], remainingAboard[call]),
                    rows.calls[call] & boards != 0
                {
                    board(route, line, call, platform, range)
                }
            } else if bags.riders.isEmpty {
                break
            }
            call &+= 1
        }
    }

    /// Lets the riders of a route alight at a call, and keeps on board those who may gain by riding
    /// on.
    private mutating func alight(
        _ route: Int,
        _ line: RouteRows,
        _ call: Int,
        _ platform: Int,
        until latest: Int32
    ) {
        let alights = wheelchair ? SearchTables.alightsWheelchair : SearchTables.alights
        let mayAlight = rows.calls[call] & alights != 0
        let position = call &- line.firstCall
        var kept = 0
        for number in bags.riders.indices {
            var rider = bags.riders[number]
            if Carried.countsRides {
                rider.amount = criterion.amount(rider.amount, riding: rider.kind, to: position)
            }
            let place = line.firstTime &+ rider.departure &* line.stopCount &+ position
            let time = rows.arrivalTimes[place]
            guard time <= latest else { continue }
            if mayAlight, isHopeful(time, remainingArrived[platform], carrying: rider.amount),
                isWithinLimits(platform, time, rider.amount)
            {
                arrive(
                    LabelBags<Carried>.Label(
                        time: time,
                        amount: rider.amount,
                        platform: Int32(truncatingIfNeeded: platform),
                        trips: bags.round,
                        origin: rider.label,
                        ride: Raptor.Ride(
                            route: RaptorRouteIndex(row: route),
                            instance: Int32(truncatingIfNeeded: rider.departure),
                            board: Int32(truncatingIfNeeded: rider.board &- line.firstCall),
                            alight: Int32(truncatingIfNeeded: position)
                        )
                    )
                )
            }
            if isHopeful(time, remainingAboard[call], carrying: rider.amount) {
                bags.riders[kept] = rider
                kept += 1
            }
        }
        bags.riders.removeLast(bags.riders.count - kept)
    }

    /// Lets the riders who became ready at a platform in the previous round board, each the first
    /// departure of each kind that they can catch.
    private mutating func board(
        _ route: Int,
        _ line: RouteRows,
        _ call: Int,
        _ platform: Int,
        _ range: CallRange
    ) {
        let column = line.column(call)
        var next = bags.heads[bags.ready(platform)]
        while next >= 0 {
            let number = next
            let label = bags.labels[Int(number)]
            next = label.next
            guard label.trips == bags.round &- 1,
                isHopeful(label.time, remainingAboard[call], carrying: label.amount)
            else { continue }
            let caught = line.times.search(
                column,
                line.stride,
                line.count,
                near: Int(hints[route]),
                notBelow: max(label.time, range.earliest)
            )
            let first = accessible(caught, line)
            // Riders who are ready later catch none either.
            guard first < line.count else { return }
            hints[route] = Int32(truncatingIfNeeded: first)
            board(number, label, first, line, call, column, until: range.latest)
        }
    }

    /// Lets a rider board the departures of a route from the first one on that may pay.
    private mutating func board(
        _ number: Int32,
        _ label: LabelBags<Carried>.Label,
        _ first: Int,
        _ line: RouteRows,
        _ call: Int,
        _ column: Int,
        until latest: Int32
    ) {
        var departure = first
        while departure < line.count {
            let time = line.times[column &+ departure &* line.stride]
            guard time <= latest, isHopeful(time, remainingAboard[call], carrying: label.amount)
            else { return }
            let place = line.firstDeparture &+ departure
            bags.board(
                LabelBags<Carried>.Rider(
                    departure: departure,
                    kind: criterion.kind(of: place),
                    amount: label.amount,
                    board: call,
                    label: number
                )
            )
            guard Carried.countsRides else { return }
            let other = Int(criterion.otherKind(after: place))
            departure = other < line.count ? accessible(other, line) : line.count
        }
    }

    /// The first departure from a given one on that the conditions allow.
    @inline(__always)
    private func accessible(_ departure: Int, _ line: RouteRows) -> Int {
        guard wheelchair, departure < line.count else { return departure }
        return Int(rows.accessible[line.firstDeparture &+ departure])
    }

    /// Records an arrival, and the journeys that end there.
    private mutating func arrive(_ label: LabelBags<Carried>.Label) {
        let platform = Int(label.platform)
        guard let number = bags.keep(label, in: bags.arrived(platform)) else { return }
        if isImproved[platform] == 0 {
            isImproved[platform] = 1
            improved[improvedCount] = label.platform
            improvedCount &+= 1
        }
        var place = Int(egress[platform])
        guard place >= 0 else { return }
        while place < bags.egress.count, bags.egress[place].platform.row == platform {
            let way = bags.egress[place]
            place += 1
            let arrival = way.end(leavingAt: label.time)
            let amount = Carried.sum(label.amount, Carried.amount(of: way))
            guard arrival < bound, criterion.allows(amount),
                !criterion.isCompared || !bags.isBeaten(at: arrival, amount, criterion)
            else { continue }
            bags.reach(
                LabelBags<Carried>.End(
                    trips: Int(label.trips),
                    arrival: arrival,
                    amount: amount,
                    label: number,
                    egress: way
                ),
                criterion
            )
            // No journey has less than the least amount, so no later one is useful.
            if criterion.isNoWorse(amount, than: bags.floor) {
                bound = arrival
            }
        }
    }

    /// Lets riders who arrived in this round change; not needed after the last round.
    mutating func relaxLabels(isLast: Bool) {
        for place in 0..<improvedCount {
            let platform = Int(improved[place])
            isImproved[platform] = 0
            var next = isLast ? -1 : bags.heads[bags.arrived(platform)]
            while next >= 0 {
                let label = bags.labels[Int(next)]
                if label.trips == bags.round { change(label, platform, number: next) }
                next = label.next
            }
        }
        improvedCount = 0
    }

    /// Lets a rider change to every platform nearby.
    private mutating func change(
        _ label: LabelBags<Carried>.Label,
        _ platform: Int,
        number: Int32
    ) {
        let seconds = rows.changes[platform]
        if seconds >= 0 {
            become(
                platform,
                readyAt: label.time &+ seconds,
                carrying: label.amount,
                from: number
            )
        }
        for way in Int(rows.wayOffsets[platform])..<Int(rows.wayOffsets[platform + 1]) {
            let time = label.time &+ rows.ways[2 * way + 1]
            if time >= bound { break }
            let metres = UInt32(bitPattern: rows.wayMetres[way])
            become(
                Int(rows.ways[2 * way]),
                readyAt: time,
                carrying: Carried.sum(label.amount, criterion.amount(changing: metres)),
                from: number
            )
        }
    }

    /// Makes a rider ready to board, unless that cannot improve the result.
    private mutating func become(
        _ platform: Int,
        readyAt time: Int32,
        carrying amount: Carried.Amount,
        from origin: Int32
    ) {
        guard isHopeful(time, remainingReady[platform], carrying: amount) else { return }
        let label = LabelBags<Carried>.Label(
            time: time,
            amount: amount,
            platform: Int32(truncatingIfNeeded: platform),
            trips: bags.round,
            origin: origin,
            ride: Raptor.Ride(route: .zero, instance: 0, board: 0, alight: 0)
        )
        guard bags.keep(label, in: bags.ready(platform)) != nil else { return }
        if fresh[platform] == Raptor.never {
            marked[markedCount] = label.platform
            markedCount &+= 1
        }
        fresh[platform] = min(fresh[platform], time)
    }

    /// Whether a rider who still needs that much time can improve the result.
    @inline(__always)
    private func isHopeful(
        _ time: Int32,
        _ remaining: Int32,
        carrying amount: Carried.Amount
    ) -> Bool {
        guard isHopeful(time, remaining) else { return false }
        let total = Carried.sum(amount, bags.least)
        guard criterion.allows(total) else { return false }
        return !criterion.isCompared || !bags.isBeaten(at: time &+ remaining, total, criterion)
    }

    /// Whether the other end can be reached in time and within the criterion's limit.
    @inline(__always)
    private func isWithinLimits(
        _ platform: Int,
        _ time: Int32,
        _ amount: Carried.Amount
    ) -> Bool {
        guard opposite != nil else { return true }
        return oppositeBags.isReady(
            platform,
            by: 0 &- time,
            trips: oppositeTrips - Int(bags.round),
            with: amount,
            criterion
        )
    }
}
