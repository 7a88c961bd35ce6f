import Chronology
import Dispatching
import Fares
import Geo
import Identity
import Logging
import Positions
import Simulation
import Taxi
import TaxiPages
import WebApp
import WebCore

extension LivingCity {
    /// The state of the dispatcher, read once a second.
    private struct Look: Sendable {
        var policy: Policy
        /// The state of each cab, in the order of the cabs.
        var taxis: [SeenTaxi]
        /// Requests of callers that have ended.
        var over: [RequestNumber]
        /// Whether a visitor's request waits for a taxi.
        var isVisitorWaiting: Bool
        /// The visitors' requests to be offered to a visitor's taxi.
        var bound: [(request: RequestNumber, taxi: TaxiNumber)]
    }

    /// Simulates one second.
    ///
    /// An operation that the rules refuse, or that is not possible at the moment,
    /// is tried again later.
    ///
    /// - Throws: `CancellationError`, or an error after which the simulation cannot continue.
    package func tick() async throws {
        do {
            let look = try await look()
            for request in look.over { calls[request] = nil }
            for cab in cabs where !cab.isVisitors {
                site.noteLook(of: PersonNumber(rawValue: cab.driver), at: now)
            }
            await report(look.policy)
            for index in cabs.indices {
                let now = now
                guard let deed = cabs[index].deed(look.taxis[index], at: now, &chance) else {
                    continue
                }
                try await trying("\(deed)") { try await self.perform(deed, index) }
            }
            for (request, taxi) in look.bound {
                let command = Command.assign(request, taxi, reason: Self.bindingReason)
                try await trying("assign") { _ = try await self.taxi.dispatch.give(command) }
            }
            try await showCodes(look.taxis)
            try await call(look)
            try await giveUp()
        } catch DispatchService.Failure.notServing {
            logger.debug("nobody serves the taxis")
        }
    }

    /// Performs an operation that may be refused; a refusal is logged and the simulation continues.
    private func trying(_ what: String, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let cancelled as CancellationError {
            throw cancelled
        } catch {
            logger.debug("not done", metadata: ["what": "\(what)", "error": "\(error)"])
        }
    }

    /// Why the demo, acting as its operator, offers a visitor's request ahead of the queue.
    private static let bindingReason = "demo: the visitor also drives a taxi"

    private func look() async throws -> Look {
        let numbers = cabs.map(\.number)
        let waiting = Array(calls.keys)
        let own = cabs.filter(\.isVisitors).map(\.number)
        var look = try await taxi.dispatch.read { state in
            let asking = state.visitorsWaiting
            return Look(
                policy: state.policy,
                taxis: numbers.map { state.seen($0, own) },
                over: waiting.filter { state.request($0) == nil },
                isVisitorWaiting: !asking.isEmpty,
                bound: asking.compactMap { request in
                    if let asked = request.offer?.taxi, own.contains(asked) { return nil }
                    return own.first { state.mayServe($0, request) }.map { (request.number, $0) }
                }
            )
        }
        for index in look.taxis.indices {
            guard let request = look.taxis[index].request?.number else { continue }
            look.taxis[index].comes = calls[request]?.comes ?? true
        }
        return look
    }

    /// Sends the position reports of all taxis, those of visitors as their pages would.
    private func report(_ policy: Policy) async {
        let now = now
        for index in cabs.indices {
            guard let batch = cabs[index].report(policy, at: now) else { continue }
            do {
                if cabs[index].isVisitors {
                    let driver = PersonNumber(rawValue: cabs[index].driver)
                    try await site.drive(batch, for: driver, at: now)
                } else {
                    _ = try taxi.report(batch)
                }
            } catch {
                logger.debug("not reported", metadata: ["error": "\(error)"])
            }
        }
    }

    // MARK: Drivers

    private func perform(_ deed: Deed, _ index: Int) async throws {
        let (number, driver) = (cabs[index].number, cabs[index].driver)
        switch deed {
        case .goOnDuty: _ = try await taxi.beginShift(number, driver)
        case .goOffDuty: _ = try await taxi.endShift(number, driver)
        case .wander: wander(index)
        case .show(let request, let epoch):
            _ = try await taxi.dispatch.give(.confirmDelivery(request, number, epoch: epoch))
        case .accept(let request, let epoch):
            _ = try await taxi.accept(request, by: number, epoch: epoch)
        case .refuse(let request, let epoch):
            _ = try await taxi.dispatch.give(.refuse(request, number, epoch: epoch))
        case .headForMeetingPoint(let request):
            guard let ride = try await taxi.ride(of: number), ride.request == request,
                let place = ride.meeting?.place
            else { return }
            head(index, for: place, of: request, isDestination: false)
        case .headForDestination(let request):
            guard let ride = try await taxi.ride(of: number), ride.request == request else {
                return
            }
            // A passenger who named no destination tells the driver on boarding.
            let said = calls[request]?.destination ?? ground?.somewhere(&chance)
            guard let place = ride.destination?.place ?? said else { return }
            head(index, for: place, of: request, isDestination: true)
        case .board(let request):
            guard let ride = try await taxi.ride(of: number), ride.request == request else {
                return
            }
            _ = try await taxi.board(number, aboard: ride.needs.seats, code: ride.code)
        case .reportNoShow:
            // When the owner of a shared ride does not come, the joiners travel on.
            let owner = try await taxi.dispatch.read { state -> RequestNumber? in
                guard case .ride(let ride) = state.taxi(number)?.work else { return nil }
                return state.request(ride)?.joiners.isEmpty == false ? ride : nil
            }
            let said = owner.map { Command.leaveBehind(number, $0) } ?? .reportNoShow(number)
            _ = try await taxi.dispatch.give(said)
        case .endRide: _ = try await taxi.endRide(number)
        case .closeRide:
            _ = try await taxi.closeRide(number, reason: "demo: it could not end otherwise")
        }
    }

    private func wander(_ index: Int) {
        let here = cabs[index].place(at: now)
        guard let zone = ground?.zone(of: here),
            let goal = callers?.waitingPlace(in: zone)
        else {
            // Outside the city: drive back into it.
            guard let goal = callers?.waitingPlace(in: nil) else { return }
            return cabs[index].take(travel.drive(from: here, to: goal, at: now))
        }
        cabs[index].take(travel.drive(from: here, to: goal, at: now))
    }

    private func head(
        _ index: Int,
        for goal: Coordinate,
        of request: RequestNumber,
        isDestination: Bool
    ) {
        let way = travel.drive(from: cabs[index].place(at: now), to: goal, at: now)
        cabs[index].head(for: goal, of: request, isDestination: isDestination, along: way)
    }

    // MARK: Passengers

    /// Makes the simulated passengers of visiting drivers show their codes.
    private func showCodes(_ taxis: [SeenTaxi]) async throws {
        for (cab, seen) in zip(cabs, taxis) where cab.isVisitors {
            let driver = PersonNumber(rawValue: cab.driver)
            guard let ride = seen.request?.ride, ride.taxi == cab.number, ride.stage != .aboard
            else {
                people.show(nil, to: driver)
                continue
            }
            try await trying("show a code") {
                self.people.show(try await self.taxi.ride(of: cab.number)?.code, to: driver)
            }
        }
    }

    /// The interval between requests in a zone in which a visitor's taxi waits, in seconds: short,
    /// so that the visitor's turn comes soon and by the normal rules.
    static let nearbySeconds = 5.0...12.0

    private func call(_ look: Look) async throws {
        var due = callers?.due(at: now) ?? []
        for (cab, seen) in zip(cabs, look.taxis) where cab.isVisitors {
            // No simulated passenger comes between a visitor who requests and one who drives.
            guard seen.isOnDuty, seen.request == nil, let zone = seen.zone,
                !look.isVisitorWaiting
            else {
                nearby[cab.number] = nil
                continue
            }
            if let next = nearby[cab.number] {
                guard now >= next else { continue }
                if let call = callers?.caller(in: zone, at: now) { due.append(call) }
            }
            let pause = Int64(chance.within(Self.nearbySeconds) * 1_000)
            nearby[cab.number] = now.adding(milliseconds: pause)
        }
        for call in due {
            try await trying("call") {
                let asked: RequestNumber
                if let hour = call.due {
                    asked = try await self.taxi.reserve(call.order, due: hour).request
                } else {
                    asked = try await self.taxi.call(call.order).request
                }
                self.calls[asked] = call
            }
        }
    }

    /// Cancels the requests of passengers who have waited long enough and may still cancel.
    private func giveUp() async throws {
        let now = now
        let tired = calls.filter { _, call in
            call.patience.map { now >= (call.due ?? call.at).adding(seconds: $0) } ?? false
        }
        for (request, call) in tired.sorted(by: { $0.key < $1.key }) {
            calls[request]?.patience = nil
            try await trying("cancel") {
                _ = try await self.taxi.cancel(request, for: call.order.passenger)
            }
        }
    }
}

extension Dispatcher {
    /// The requests of visitors, with or without an account, for which a taxi is sought.
    fileprivate var visitorsWaiting: [Request] {
        requests.filter { request in
            guard !Callers.isSimulated(request.form.passenger) else { return false }
            return request.offer != nil || request.isHeld
        }
    }

    /// Whether a visitor's taxi can be offered a visitor's request that it has not seen yet.
    fileprivate func mayServe(_ number: TaxiNumber, _ request: Request) -> Bool {
        guard let taxi = taxi(number) else { return false }
        return taxi.status == .available && taxi.rank != nil
            && taxi.capacity.covers(request.form.needs) && !request.asked.contains(number)
    }

    /// Reads the state of a taxi, and how its driver will treat the passenger.
    ///
    /// - Parameters:
    ///   - number: the taxi.
    ///   - own: the taxis of visitors.
    /// - Returns: the state that the driver acts on; an empty one for a removed taxi.
    fileprivate func seen(_ number: TaxiNumber, _ own: [TaxiNumber]) -> SeenTaxi {
        guard let taxi = taxi(number), !taxi.isRemoved else { return SeenTaxi() }
        var seen = SeenTaxi(
            isOnDuty: taxi.isOnDuty,
            isReachable: taxi.isReachable,
            zone: taxi.zone
        )
        switch taxi.work {
        case .none: return seen
        case .offer(let request), .ride(let request): seen.request = self.request(request)
        }
        guard let request = seen.request, !Callers.isSimulated(request.form.passenger) else {
            return seen
        }
        seen.mood = own.contains { mayServe($0, request) } ? .yielding : .kind
        return seen
    }
}
