import Chronology
import Dispatching
import Drivers
import Geo
import HTTPTypes
import Identity
import Positions
import Taxi
import TaxiPages
import WebCore

/// A driver at the wheel: who is signed in, and the taxi that is his by the papers.
///
/// The taxi never comes from a form: the session says who it is, the papers which taxi is his, and
/// the fleet under which number the dispatcher knows it (decision 0017).
struct Seat: Sendable {
    /// The person.
    let person: PersonNumber
    /// The taxi as the dispatcher has it.
    let view: DriverView
    /// Why he may not drive any more; he then only brings his ride to its end.
    let obstacle: DrivingObstacle?

    /// The number under which the dispatcher knows the taxi.
    var number: TaxiNumber { view.taxi.number }
}

/// Why somebody who is signed in has no seat at a wheel.
enum SeatObstacle: Error, Hashable, Sendable {
    /// His papers.
    case papers(DrivingObstacle)
    /// The dispatcher does not know his taxi yet.
    case notRegistered
    /// The other driver of the taxi has the shift (R13).
    case anotherDrives
}

extension DriverPages {
    /// The seat of who is signed in (R104, R124).
    ///
    /// - Throws: ``SeatObstacle``; `TaxiService.Failure.notServing`.
    func seat(_ visit: Visit) async throws -> Seat {
        guard let person = visit.session?.person else { throw Failure.notSignedIn }
        do {
            return try await seat(person, at: visit.now)
        } catch let obstacle as SeatObstacle {
            // Who waits for another's shift to end hears of that end.
            if obstacle != .anotherDrives { live.seats.leave(person) }
            throw obstacle
        }
    }

    private func seat(_ person: PersonNumber, at now: Moment) async throws -> Seat {
        let papers = try await accounts.drivers.seat(of: person, at: now)
        guard let taxi = papers.taxi else { throw SeatObstacle.papers(.noDriver) }
        guard var view = try await driverView(of: taxi, for: person, at: now) else {
            throw papers.obstacle.map { SeatObstacle.papers($0) } ?? .notRegistered
        }
        if let driver = try await self.taxi.shift(of: view.taxi.number), driver != person.rawValue {
            // Of a taxi that several share, only who began the shift has the wheel.
            if view.taxi.isOnDuty || view.taxi.work != .none {
                live.seats.wait(for: view.taxi.number, by: person, at: now)
                throw SeatObstacle.anotherDrives
            }
            // What befell the other in his shift is not for who comes after him.
            view.news = DriverNews()
        }
        if let obstacle = papers.obstacle {
            // Whose papers end on the way brings his passenger home.
            guard case .ride = view.taxi.work else {
                try await leaveDuty(view, person)
                throw SeatObstacle.papers(obstacle)
            }
        }
        return Seat(person: person, view: view, obstacle: papers.obstacle)
    }

    /// Ends the shift of who may not drive any more (I14).
    ///
    /// The dispatcher knows the licence of the taxi only, and a shared one has it from the others.
    private func leaveDuty(_ view: DriverView, _ person: PersonNumber) async throws {
        guard view.taxi.isOnDuty else { return }
        do {
            _ = try await taxi.endShift(view.taxi.number, person.rawValue)
        } catch is Refusal {
            // It has ended by itself meanwhile.
        }
    }

    /// A taxi as the dispatcher has it; nil where it does not know it.
    ///
    /// The driver takes the seat before the taxi is looked at: what happens to it from then on is
    /// told to his page.
    private func driverView(
        of taxi: PersonNumber,
        for person: PersonNumber,
        at now: Moment
    ) async throws -> DriverView? {
        let code = taxi.dispatcherCode
        if let number = drivers.number(of: taxi) {
            live.seats.take(number, by: person, at: now)
            if let view = try await self.taxi.driver(number, code: code) { return view }
        }
        guard let number = try await fleet.number(of: taxi) else { return nil }
        drivers.remember(number, of: taxi)
        live.seats.take(number, by: person, at: now)
        return try await self.taxi.driver(number, code: code)
    }

    /// An answer for who is at the wheel; everybody else, and who is refused, is told why.
    func atTheWheel(
        _ answer: @escaping @Sendable (Visit, Seat) async throws -> Reply
    ) -> @Sendable (Visit) async throws -> Reply {
        { visit in
            try await driving(visit) { try await answer(visit, try await seat(visit)) }
        }
    }

    /// For how long the papers are believed of who only says where he is, in seconds.
    ///
    /// A fleet of ten thousand does so two thousand times a second. A shift that begins or ends
    /// counts at once.
    private static let believedSeconds = KnownSessions.seconds

    /// The same for what only says where the taxi is.
    func reporting(
        _ answer: @escaping @Sendable (Visit, PersonNumber, TaxiNumber) async throws -> Reply
    ) -> @Sendable (Visit) async throws -> Reply {
        { visit in
            try await driving(visit) {
                let since = visit.now.adding(seconds: -Self.believedSeconds)
                if let person = visit.session?.person,
                    let taxi = live.seats.taxi(of: person, since: since)
                {
                    return try await answer(visit, person, taxi)
                }
                let seat = try await seat(visit)
                return try await answer(visit, seat.person, seat.number)
            }
        }
    }

    private func driving(
        _ visit: Visit,
        _ answer: () async throws -> Reply
    ) async throws -> Reply {
        do {
            return try await answer()
        } catch let obstacle as SeatObstacle {
            let waits = obstacle == .anotherDrives && visit.path == "/drive"
            return reply(obstacle.trouble, to: visit, waits: waits)
        } catch ShiftObstacle.anotherDrives {
            return reply(SeatObstacle.anotherDrives.trouble, to: visit)
        } catch let trouble as DriveTrouble {
            return await refused(trouble, visit)
        } catch let refusal as Refusal where refusal.failure == nil {
            let trouble = DriveTrouble(refusal) { clockTime($0, hasSeconds: true) }
            return await refused(trouble, visit)
        } catch let failure as DispatchService.Failure {
            guard let trouble = DriveTrouble(failure) else { throw failure }
            return reply(trouble, to: visit)
        }
    }

    /// Says again for a driver without a device that measures where he stated to be.
    ///
    /// Only his page does so, which comes again by itself as long as he has it before him: so it is
    /// he who is heard. What he or his device sends just now must not come second to it.
    func repeatStatedPlace(_ seat: Seat, _ visit: Visit) {
        guard let place = drivers.statedPlace(by: seat, at: visit.now) else { return }
        // What is wrong with a repetition says nothing new.
        _ = try? report(stated: place, seat, visit)
    }

    /// Reports a place as its driver states it: like any other, less exact.
    ///
    /// - Returns: what was wrong with it.
    func report(
        stated place: Coordinate,
        _ seat: Seat,
        _ visit: Visit
    ) throws -> Set<PositionFault> {
        let report = PositionReport(
            at: visit.now,
            place: place,
            accuracyMetres: DriverDesk.statedAccuracy,
            isStated: true
        )
        return try taxi.report(
            PositionBatch(taxi: seat.number, sentAt: visit.now, reports: [report])
        )
    }
}

extension DriverDesk {
    /// How the last position of a driver came.
    func source(of seat: Seat) -> Source? { source(of: seat.number, drivenBy: seat.person) }

    /// The place that a driver stated and that still holds at a moment.
    func statedPlace(by seat: Seat, at now: Moment) -> Coordinate? {
        guard let source = source(of: seat), let place = source.stated,
            now < source.at.adding(seconds: Self.statedSeconds)
        else { return nil }
        return place
    }
}
