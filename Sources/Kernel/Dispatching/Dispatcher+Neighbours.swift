internal import Chronology

// An empty zone: when no driver of its queue may take a request, drivers of other zones are asked,
// those of the nearest zone first, and in each zone in the order of its queue (decision 0045). The
// times come with the request, so that a replay decides the same.
extension Dispatcher {
    /// The zones from which a taxi may come to a request, nearest first.
    func neighbours(of request: Request) -> ArraySlice<NeighbouringZone> {
        let reach = policy[.neighbourReach]
        if reach == 0 { return [] }
        return request.form.neighbours.prefix { Int64($0.seconds) <= reach }
    }

    /// The first driver of the nearest zone that has one who may take a request; among zones of
    /// equal time, the one who has waited longest.
    func nextNeighbour(for request: Request) -> TaxiNumber? {
        var best: (seconds: Int32, entry: ZoneQueue.Entry)?
        for neighbour in neighbours(of: request) {
            if let best, best.seconds < neighbour.seconds { break }
            guard let entry = first(in: neighbour.zone, for: request) else { continue }
            if let best, best.entry.rank < entry.rank { continue }
            best = (neighbour.seconds, entry)
        }
        return best?.entry.taxi
    }

    /// The next driver for a request, after the older requests held in a driver's own zone had
    /// their choice.
    mutating func claimedTaxi(for request: Request) -> TaxiNumber? {
        while let taxi = nextTaxi(for: request) {
            guard let zone = taxis[Int(taxi.rawValue)].zone, zone != request.zone else {
                return taxi
            }
            serveOwn(zone, before: request.arrival)
            if taxis[Int(taxi.rawValue)].rank != nil { return taxi }
        }
        return nil
    }

    /// Offers drivers of a zone to the requests held there that are older than another.
    private mutating func serveOwn(_ zone: ZoneNumber, before arrival: Int64) {
        let most = policy[.maxOffers]
        for waiting in zones[Int(zone.rawValue)].held where waiting.arrival < arrival {
            guard let request = table[waiting.request], most == 0 || Int64(request.offers) < most,
                let entry = first(in: zone, for: request)
            else { continue }
            offerHeld(request, to: entry.taxi)
        }
    }

    /// The requests held in other zones to which a taxi of this zone may come, oldest first.
    func heldNear(_ zone: ZoneNumber) -> [ZoneQueue.Waiting] {
        if policy[.neighbourReach] == 0 { return [] }
        var near: [ZoneQueue.Waiting] = []
        for other in zones.indices where other != Int(zone.rawValue) {
            near += zones[other].held.filter { waiting in
                guard let request = table[waiting.request] else { return false }
                return neighbours(of: request).contains { $0.zone == zone }
            }
        }
        return near.sorted { $0.arrival < $1.arrival }
    }

    /// Throws if the neighbours of a form are unknown, repeated, too many or not in order.
    func checkNeighbours(_ form: RequestForm) throws(Refusal) {
        let neighbours = form.neighbours
        let isOrdered = zip(neighbours, neighbours.dropFirst()).allSatisfy {
            ($0.seconds, $0.zone) < ($1.seconds, $1.zone)
        }
        let isKnown = neighbours.allSatisfy {
            $0.zone.rawValue < zones.count && $0.zone != form.zone && $0.seconds >= 0
        }
        let isUnique = Set(neighbours.map { $0.zone }).count == neighbours.count
        guard isOrdered, isKnown, isUnique, neighbours.count <= RequestForm.neighbourLimit else {
            throw .invalid("neighbours")
        }
    }

    // MARK: The way back

    /// The queue position of a driver whom a request brought from another zone; nil for a driver
    /// of the own zone.
    func ownPlace(of ride: Ride, for request: Request) -> FormerPlace? {
        guard let former = ride.former, former.zone != request.zone,
            request.form.neighbours.contains(where: { $0.zone == former.zone })
        else { return nil }
        return former
    }

    /// Keeps the position of a driver who is not in the own zone when the ride comes to nothing,
    /// for the way back.
    mutating func keepHomeTurn(_ taxi: TaxiNumber, _ place: FormerPlace) {
        guard taxis[Int(taxi.rawValue)].zone != place.zone else { return }
        let until = now.adding(seconds: policy[.grace] + policy[.neighbourReach])
        emit(.homeTurnKept(taxi, place.zone, place.rank, until: until))
    }

    /// The kept position of a driver who is back in the own zone in time.
    func homeRank(of taxi: Taxi, at place: Place) -> Rank? {
        guard let home = taxi.homeTurn, place == .zone(home.zone), now < home.until else {
            return nil
        }
        return home.rank
    }
}
