package import Chronology
package import Dispatching
package import Fares
import Storage

/// What a passenger has under way: what an account that is deleted would leave behind (F24).
package struct UnderWay: Hashable, Sendable {
    /// A request or a reservation for which no taxi was found yet.
    package struct Wish: Hashable, Sendable {
        /// Its number.
        package var request: RequestNumber
        /// The hour of a reservation; nil where a taxi is looked for now.
        package var due: Moment?
        /// Where he is met; nil where it is not known.
        package var meeting: PlaceWords?
    }

    /// What is cancelled when he leaves: first what is looked for now, then by the hour.
    package var wishes: [Wish] = []
    /// Why he cannot leave now; nil where he can.
    package var obstacle: LeavingObstacle?
}

/// Why somebody cannot leave the service now; nothing has changed.
package enum LeavingObstacle: Error, Hashable, Sendable {
    /// A taxi was found for him, or drives him.
    case riding
    /// A taxi is looked for, and the city's rules let nobody cancel that (C27).
    case calling
    /// His taxi has a ride.
    case driving
    /// His taxi is asked whether it takes a ride.
    case asked
}

extension TaxiService {
    /// How often a passenger's requests are looked up while more of them come.
    private static let leavingRounds = 5

    /// What a passenger has under way.
    package func underWay(of passenger: PassengerNumber) async throws -> UnderWay {
        try checkServing()
        let (requests, obstacle) = try await dispatch.read { state in
            let own = state.requests.filter { $0.form.passenger == passenger }
            return (own, own.lazy.compactMap { state.obstacle(to: $0) }.first)
        }
        let wishes = requests.map { request in
            UnderWay.Wish(
                request: request.number,
                due: request.due,
                meeting: book[request.number]?.places.map {
                    PlaceWords($0.meetingWords, at: $0.meeting)
                }
            )
        }
        let now = clock.now()
        return UnderWay(
            wishes: wishes.sorted { ($0.due ?? now, $0.request) < ($1.due ?? now, $1.request) },
            obstacle: obstacle
        )
    }

    /// Cancels all that a passenger has under way; he is about to leave for good.
    ///
    /// It may be repeated: what was cancelled stays so, whatever comes of his leaving.
    ///
    /// - Parameter passenger: who leaves.
    /// - Throws: ``LeavingObstacle``; then nothing was cancelled, unless a driver accepted just
    ///   now.
    package func cancelAll(of passenger: PassengerNumber) async throws {
        for _ in 0..<Self.leavingRounds {
            let found = try await underWay(of: passenger)
            if let obstacle = found.obstacle { throw obstacle }
            if found.wishes.isEmpty { return }
            for wish in found.wishes {
                do {
                    _ = try await dispatch.give(.cancel(wish.request))
                } catch Refusal.noSuchRequest {
                    continue
                } catch Refusal.tooLateToCancel {
                    throw LeavingObstacle.riding
                }
            }
        }
        throw LeavingObstacle.calling
    }

    /// Why a driver cannot leave now; nil where he can.
    package func obstacle(toLeaving taxi: TaxiNumber) async throws -> LeavingObstacle? {
        try checkServing()
        return try await dispatch.read { $0.taxi(taxi)?.leavingObstacle }
    }

    /// Takes a taxi off the register because its driver leaves; it may be repeated.
    ///
    /// - Parameter taxi: the taxi.
    /// - Throws: ``LeavingObstacle``; then nothing has changed.
    package func retire(_ taxi: TaxiNumber) async throws {
        if let obstacle = try await obstacle(toLeaving: taxi) { throw obstacle }
        do {
            _ = try await dispatch.give(.remove(taxi))
        } catch Refusal.riding {
            throw LeavingObstacle.driving
        } catch Refusal.noSuchTaxi {
            return
        }
    }

    /// Who has something under way, each once, in the order of numbers.
    package func passengersUnderWay() async throws -> [PassengerNumber] {
        try await dispatch.read { state in
            Set(state.requests.map(\.form.passenger)).sorted { $0.rawValue < $1.rawValue }
        }
    }

    /// Takes away what somebody who is gone has under way, but for rides.
    ///
    /// A ride of his is brought to its end: others may be aboard.
    ///
    /// - Parameters:
    ///   - passenger: who is gone.
    ///   - reason: why, for the log.
    /// - Returns: how much was taken away.
    /// - Throws: as `DispatchService.give`.
    package func withdrawAll(of passenger: PassengerNumber, reason: String) async throws -> Int {
        let found = try await dispatch.read { state in
            state.requests.filter { request in
                request.form.passenger == passenger
                    && state.obstacle(to: request) != .riding
            }.map(\.number)
        }
        var count = 0
        for number in found {
            do {
                _ = try await dispatch.give(.withdraw(number, reason: reason))
                count += 1
            } catch Refusal.noSuchRequest {
                continue
            }
        }
        try await store.database.write { try RidePlaces.forget(passenger, in: $0) }
        return count
    }
}

extension Dispatcher {
    /// Why the passenger of a request cannot leave as long as it stands.
    fileprivate func obstacle(to request: Request) -> LeavingObstacle? {
        let ride = ride(of: request.number)
        if ride?.ride != nil { return .riding }
        // A reservation may be cancelled as long as it has no taxi (R80).
        return ride?.due == nil && !policy.letsCancel ? .calling : nil
    }
}

extension Policy {
    /// Whether somebody for whom a taxi is looked for may give it up.
    fileprivate var letsCancel: Bool { self[.cancelRequest] != 0 }
}

extension Taxi {
    fileprivate var leavingObstacle: LeavingObstacle? {
        switch work {
        case .ride: .driving
        case .offer: .asked
        case .none: nil
        }
    }
}
