package import Chronology
package import Dispatching
package import Fares
package import Geo
package import Identity
package import Taxi

/// What a driver does at work, for programs that act for the driver.
///
/// The pages of drivers carry it out, with the checks of their own actions: papers, shift and rules
/// of the city are those of the page, and a refusal has the same name and words. Every function
/// throws `ProgramRefusal` for what a page refuses.
package protocol DriverWork: Sendable {
    /// The driver's taxi as the page shows it.
    func view(of driver: PersonNumber, at now: Moment) async throws -> DriverView

    /// Sets whether the driver is available (R14, R16); what already holds is no error.
    func setAvailable(_ isAvailable: Bool, _ driver: PersonNumber, at now: Moment) async throws

    /// The offer to the driver; nil if there is none.
    ///
    /// The driver has then seen the offer, as on the page: leaving it unanswered costs the place in
    /// the queue (R52).
    func offer(to driver: PersonNumber, at now: Moment) async throws -> OfferShown?

    /// Accepts an offer, or refuses it.
    func answer(
        _ answer: OfferAnswer,
        _ driver: PersonNumber,
        at now: Moment
    ) async throws

    /// Reports where the driver's device is (R32).
    func report(_ position: DevicePosition, _ driver: PersonNumber, at now: Moment) async throws

    /// The driver's ride; nil if there is none.
    func ride(of driver: PersonNumber, at now: Moment) async throws -> RideShown?

    /// Says that the taxi is at the meeting point, which its positions must show (R64).
    func arrive(
        _ ride: RequestNumber,
        _ driver: PersonNumber,
        at now: Moment
    ) async throws

    /// Says that passengers are on board, with the code that they said (R59, R89).
    func board(_ boarding: Boarding, _ driver: PersonNumber, at now: Moment) async throws

    /// Ends a ride (R65, R66).
    ///
    /// - Returns: the fare of the whole ride; nil if no tariff is in force.
    func end(_ ending: RideEnding, _ driver: PersonNumber, at now: Moment) async throws -> Money?
}

/// A driver's answer to an offer.
package struct OfferAnswer: Sendable {
    /// The request that is offered.
    package var request: RequestNumber
    /// The offer, of several for one request.
    package var epoch: Int64
    /// Whether the driver takes it.
    package var accepts: Bool
    /// The key under which the dispatcher remembers the answer; nil if there is none.
    package var key: DispatchService.Key?

    /// Creates an answer.
    package init(
        _ request: RequestNumber,
        epoch: Int64,
        accepts: Bool,
        key: DispatchService.Key? = nil
    ) {
        self.request = request
        self.epoch = epoch
        self.accepts = accepts
        self.key = key
    }
}

/// A position that a driver's device measured.
package struct DevicePosition: Sendable {
    /// The measured position.
    package var place: Coordinate
    /// The accuracy in metres; nil if the device does not report it.
    package var accuracyMetres: Double?
    /// How long ago it was measured, in seconds.
    package var ageSeconds: Int64

    /// Creates a position.
    package init(_ place: Coordinate, accuracyMetres: Double?, ageSeconds: Int64) {
        self.place = place
        self.accuracyMetres = accuracyMetres
        self.ageSeconds = ageSeconds
    }
}

/// What a driver says when passengers have boarded.
package struct Boarding: Sendable {
    /// The ride, so that a message about an earlier one has no effect.
    package var ride: RequestNumber
    /// The number of people on board.
    package var aboard: Int64
    /// The code that they said; empty if none was entered.
    package var code: String
    /// Identifies the message, so that a wrong code that comes twice counts once; nil if each one
    /// counts.
    package var key: String?
    /// The sender's secret, which hides codes in stored keys.
    package var secret: String

    /// Creates a message.
    package init(
        _ ride: RequestNumber,
        aboard: Int64,
        code: String,
        key: String?,
        secret: String
    ) {
        self.ride = ride
        self.aboard = aboard
        self.code = code
        self.key = key
        self.secret = secret
    }
}

/// What a driver says when a ride ends.
package struct RideEnding: Sendable {
    /// The ride, so that a message about an earlier one has no effect.
    package var ride: RequestNumber
    /// Why the ride ends elsewhere; empty for none.
    package var reason: String
    /// The surcharges of the tariff that apply, each as often as it does.
    package var surcharges: [String]
    /// Whether the same message may have ended the ride before, and its answer was lost: then a
    /// ride that has ended is no refusal.
    package var mayBeDone: Bool

    /// Creates a message.
    package init(
        _ ride: RequestNumber,
        reason: String,
        surcharges: [String],
        mayBeDone: Bool = false
    ) {
        self.ride = ride
        self.reason = reason
        self.surcharges = surcharges
        self.mayBeDone = mayBeDone
    }
}
