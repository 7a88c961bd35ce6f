package import Chronology
package import Dispatching
package import Fares
import Storage

/// A passenger's activities that the deletion of the account would end (F24).
package struct UnderWay: Hashable, Sendable {
    /// A request or reservation without a taxi.
    package struct Wish: Hashable, Sendable {
        package var request: RequestNumber
        /// The reserved time; nil if the search for a taxi is under way.
        package var due: Moment?
        /// The pickup point; nil if unknown.
        package var meeting: PlaceDescription?
    }

    /// The requests and reservations to cancel: current requests first, then by reserved time.
    package var wishes: [Wish] = []
    /// The reason why the account cannot be deleted now; nil if it can.
    package var obstacle: LeavingObstacle?
}

/// The reason why a person cannot leave the service now; nothing was changed.
package enum LeavingObstacle: Error, Hashable, Sendable {
    /// A taxi is on the way to the passenger or has the passenger on board.
    case riding
    /// A search is under way and the city's rules do not permit cancelling it (C27).
    case calling
    /// The driver's taxi has a ride.
    case driving
    /// The driver's taxi has an open offer.
    case asked
}

extension TaxiService {
    /// How often a passenger's requests are looked up while new ones arrive.
    private static let leavingRounds = 5

    /// Returns the activities of a passenger.
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
                    PlaceDescription($0.meetingDescription, at: $0.meeting)
                }
            )
        }
        let now = clock.now()
        return UnderWay(
            wishes: wishes.sorted { ($0.due ?? now, $0.request) < ($1.due ?? now, $1.request) },
            obstacle: obstacle
        )
    }

    /// Cancels all requests and reservations of a passenger who is about to leave.
    ///
    /// Safe to repeat; cancellations remain even if the passenger does not leave in the end.
    ///
    /// - Parameter passenger: the departing passenger.
    /// - Throws: ``LeavingObstacle``; then nothing was cancelled, unless a driver
    ///   accepted during the call.
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

    /// Returns the reason why a driver cannot leave now; nil if there is none.
    package func obstacle(toLeaving taxi: TaxiNumber) async throws -> LeavingObstacle? {
        try checkServing()
        return try await dispatch.read { $0.taxi(taxi)?.leavingObstacle }
    }

    /// Removes a departing driver's taxi from the register; safe to repeat.
    ///
    /// - Parameter taxi: the taxi.
    /// - Throws: ``LeavingObstacle``; then nothing was changed.
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

    /// Lists the passengers with live requests, each once, in the order of their numbers.
    package func passengersUnderWay() async throws -> [PassengerNumber] {
        try await dispatch.read { state in
            Set(state.requests.map(\.form.passenger)).sorted { $0.rawValue < $1.rawValue }
        }
    }

    /// Withdraws the requests and reservations of an erased passenger.
    ///
    /// Rides continue to their end, because others may be on board.
    ///
    /// - Parameters:
    ///   - passenger: the erased passenger.
    ///   - reason: the reason for the log.
    /// - Returns: the number of withdrawn requests.
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
    /// Returns why a request prevents its passenger from leaving.
    fileprivate func obstacle(to request: Request) -> LeavingObstacle? {
        let ride = ride(of: request.number)
        if ride?.ride != nil { return .riding }
        // A reservation without a taxi may always be cancelled (R80).
        return ride?.due == nil && !policy.letsCancel ? .calling : nil
    }
}

extension Policy {
    /// Whether a passenger may cancel while a taxi is being searched for.
    fileprivate var letsCancel: Bool { cancelRequest != .never }
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
