import Chronology
import Dispatching

extension Audit {
    mutating func read(_ event: Event.City) {
        switch event {
        case .policyAdopted(let policy): self.policy = policy
        case .zonesDrawn(let drawing): redraw(drawing)
        case .taxiRegistered(_, let form): cabs.append(Cab(capacity: form.capacity))
        case .taxiChanged(let taxi, let form): change(taxi) { $0.capacity = form.capacity }
        case .taxiRemoved(let taxi):
            change(taxi) { cab in
                cab.isRemoved = true
                cab.isOnDuty = false
            }
        case .setupCompleted: isSetUp = true
        case .suspended: isSuspended = true
        case .resumed: isSuspended = false
        case .restarted: break
        }
    }

    mutating func read(_ event: Event.Taxi) {
        switch event {
        case .wentOnDuty(let taxi):
            if cabs[Int(taxi.rawValue)].zone == nil && policy.enforceBorder {
                report("I13", "taxi \(taxi.rawValue) went on duty outside the city")
            }
            change(taxi) { $0.isOnDuty = true }
        case .wentOffDuty(let taxi, _, _):
            if cabs[Int(taxi.rawValue)].ride != nil {
                report("I12", "taxi \(taxi.rawValue) went off duty on a ride")
            }
            change(taxi) { $0.isOnDuty = false }
        case .placed(let taxi, let place):
            var zone: ZoneNumber?
            if case .zone(let inside) = place { zone = inside }
            if self.place(of: taxi) != nil {
                report("I1", "taxi \(taxi.rawValue) moved while it stood in a queue")
            }
            change(taxi) { $0.zone = zone }
        case .contactLost(let taxi, _): change(taxi) { $0.isReachable = false }
        case .contactRegained(let taxi): change(taxi) { $0.isReachable = true }
        case .enqueued(let taxi, let zone, let rank, let cause): enqueue(taxi, zone, rank, cause)
        case .dequeued(let taxi, _): leaveQueue(taxi)
        case .turnRestored, .turnKept, .homeTurnKept: break
        }
    }

    mutating func change(_ taxi: TaxiNumber, _ body: (inout Cab) -> Void) {
        body(&cabs[Int(taxi.rawValue)])
        touched.append(taxi)
    }

    private mutating func enqueue(
        _ taxi: TaxiNumber,
        _ zone: ZoneNumber,
        _ rank: Rank,
        _ cause: QueueCause
    ) {
        let cab = cabs[Int(taxi.rawValue)]
        if !cab.mayQueue { report("I1", "taxi \(taxi.rawValue) was queued and is not available") }
        if cab.ride != nil { report("I12", "taxi \(taxi.rawValue) was queued on a ride") }
        if cab.zone != zone { report("I1", "taxi \(taxi.rawValue) was queued in another zone") }
        if place(of: taxi) != nil { report("I1", "taxi \(taxi.rawValue) was queued twice") }
        let queue = queues[Int(zone.rawValue)]
        if queue.contains(where: { $0.rank == rank }) {
            report("I6", "two drivers have the same place in zone \(zone.rawValue)")
        }
        if [.refused, .ignored, .undeliverable].contains(cause) {
            if !cab.owesTail { report("I7", "taxi \(taxi.rawValue) went to the tail twice") }
            if queue.contains(where: { rank < $0.rank }) {
                report("I7", "taxi \(taxi.rawValue) was put before the tail")
            }
        }
        cabs[Int(taxi.rawValue)].owesTail = false
        let place = Place(taxi: taxi, zone: zone, rank: rank, since: sequence, cause: cause)
        let before = queue.firstIndex { rank < $0.rank } ?? queue.count
        queues[Int(zone.rawValue)].insert(place, at: before)
        touched.append(taxi)
    }

    mutating func leaveQueue(_ taxi: TaxiNumber) {
        guard let place = place(of: taxi) else {
            return report("I1", "taxi \(taxi.rawValue) left a queue that it was not in")
        }
        queues[Int(place.zone.rawValue)].removeAll { $0.taxi == taxi }
        touched.append(taxi)
    }

    /// After a redraw, queued drivers within a zone are queued there in their
    /// previous order (G5, I24).
    private mutating func redraw(_ drawing: ZoneDrawing) {
        let queued = queues.flatMap { $0 }
        zoneCount = drawing.names.count
        queues = Array(repeating: [], count: zoneCount)
        for (index, place) in drawing.places.enumerated() where index < cabs.count {
            if case .zone(let zone) = place {
                cabs[index].zone = zone
            } else {
                cabs[index].zone = nil
            }
            touched.append(TaxiNumber(rawValue: UInt32(index)))
        }
        for var place in queued {
            guard let zone = cabs[Int(place.taxi.rawValue)].zone else { continue }
            place.zone = zone
            queues[Int(zone.rawValue)].append(place)
        }
        for zone in queues.indices { queues[zone].sort { $0.rank < $1.rank } }
        // Zone numbers have new meanings.
        for number in cases.keys { cases[number]?.form.neighbours = [] }
        for moved in drawing.requests {
            if let zone = moved.zone { cases[moved.request]?.zone = zone }
        }
    }
}
