import Chronology
import Dispatching
import Fares
import Geo

extension TaxiService {
    /// The interval in milliseconds at which the arrival of approaching taxis is recomputed; a
    /// change of a minute is announced within this time (C8).
    static let lookMilliseconds: Int64 = 15_000

    /// Subscribes to updated arrival times.
    package func arrivals() -> AsyncStream<ArrivalTold> {
        news.subscribe()
    }

    /// Recomputes the arrival of approaching taxis and announces changes according to the rule.
    func refreshArrivals() async throws {
        let now = clock.now()
        let (coming, refresh) = try await dispatch.read { state in
            (state.comingTaxis, state.policy[.etaRefresh])
        }
        let rule = ArrivalNews(refreshSeconds: refresh)
        for (request, taxi) in coming {
            guard let page = book[request], page.nextLook <= now, let places = page.places else {
                continue
            }
            let next = now.adding(milliseconds: Self.lookMilliseconds)
            book.changeKnown(request) { $0.nextLook = next }
            let arrival = await arrival(of: taxi, at: places.meeting, from: now)
            switch rule.decision(arrival, .onTheWay, after: page.told, now: now) {
            case .keep: break
            case .tell(let arrival):
                // Another taxi may have taken over the ride meanwhile.
                let isSame = try await dispatch.read { $0.request(request)?.ride?.taxi == taxi }
                if isSame { tell(arrival, of: request, at: now) }
            case .hide: hideArrival(of: request)
            }
        }
    }

    /// Estimates when a taxi will be at a place; nil if unknown.
    func arrival(of taxi: TaxiNumber, at place: Coordinate, from now: Moment) async -> Moment? {
        guard let known = intake.position(of: taxi)?.place else { return nil }
        let ahead = await drives.drive(from: known, to: place, at: now)
        return ahead.map { now.adding(milliseconds: $0.likely.milliseconds) }
    }

    func tell(_ arrival: Moment?, of request: RequestNumber, at now: Moment) {
        book.changeKnown(request) { $0.tell(arrival, at: now) }
        news.tell(ArrivalTold(request: request, arrival: arrival, isOver: false))
    }

    func hideArrival(of request: RequestNumber) {
        var wasTold = false
        book.changeKnown(request) { page in
            wasTold = page.told != nil
            page.told = nil
        }
        if wasTold { news.tell(ArrivalTold(request: request, arrival: nil, isOver: true)) }
    }
}

extension Dispatcher {
    /// The rides whose taxi is on the way to the pickup point, by the number of the taxi.
    fileprivate var comingTaxis: [(RequestNumber, TaxiNumber)] {
        taxis.compactMap { taxi in
            guard case .ride(let number) = taxi.work, request(number)?.ride?.stage == .onTheWay
            else { return nil }
            return (number, taxi.number)
        }
    }
}
