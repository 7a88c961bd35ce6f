import Chronology
import Dispatching
import Drivers
import Fares
import Identity
import OpenData
import Taxi
import TaxiPages
import WebCore

/// Rides as answers.
extension CityAPI {
    /// A ride of an application.
    ///
    /// - Throws: `Failure.notFound` if the service has forgotten it.
    func json(of ride: ApplicationRide) async throws -> JSONValue {
        let passenger = ride.passenger.passenger
        if let view = try await taxi.view(ride.number, for: passenger) {
            return try await json(of: view, ride)
        }
        guard let ended = try await taxi.ended(ride.number, for: passenger) else {
            throw Failure.notFound
        }
        return try await json(of: ended, ride)
    }

    /// A ride of an application; nil if the service has forgotten it.
    func known(_ ride: ApplicationRide) async throws -> JSONValue? {
        do {
            return try await json(of: ride)
        } catch let failure as Failure where failure == .notFound {
            return nil
        }
    }

    private func json(of view: RideView, _ ride: ApplicationRide) async throws -> JSONValue {
        let face = try await taxi.face(view, in: accounts)
        var arrival: Moment?
        if case .at(let moment) = view.arrival { arrival = moment }
        let taxi: JSONValue =
            face.map {
                [
                    "code": .text($0.code), "plate": JSONValue($0.plate),
                    "make": JSONValue($0.look.make),
                    "colour": JSONValue($0.look.colour?.rawValue),
                    "position": JSONValue(view.position?.place, name: nil),
                    "position_at": JSONValue(view.position?.at),
                ]
            } ?? .null
        return [
            "request": .integer(ride.request), "state": .text(RideState(view).word),
            "outcome": .null, "ordered": JSONValue(ride.made), "due": JSONValue(view.due),
            "pickup": JSONValue(view.meeting, name: view.meetingDescription?.text),
            "destination": JSONValue(view.destination, name: view.destinationDescription?.text),
            "drivers_asked": JSONValue(view.asked), "taxi": taxi, "arrival": JSONValue(arrival),
            "boarded": .null, "ended": .null, "fare": .null,
        ]
    }

    private func json(of ended: EndedRequest, _ ride: ApplicationRide) async throws -> JSONValue {
        let record = ended.record
        var taxi = JSONValue.null
        if let code = record.taxiCode, let number = PersonNumber(dispatcherCode: code),
            let names = try await accounts.drivers.taxiNames(of: [number])[number]
        {
            taxi = [
                "code": .text(names.code), "plate": .text(names.plate),
                "make": JSONValue(names.look.make),
                "colour": JSONValue(names.look.colour?.rawValue), "position": .null,
                "position_at": .null,
            ]
        }
        return [
            "request": .integer(ride.request), "state": .text(RideState.ended),
            "outcome": JSONValue(record.outcome?.word), "ordered": JSONValue(ride.made),
            "due": JSONValue(record.due),
            "pickup": JSONValue(ended.places?.meeting, name: ended.meeting?.text),
            "destination": JSONValue(ended.places?.destination, name: ended.destination?.text),
            "drivers_asked": .null, "taxi": taxi, "arrival": JSONValue(record.reached),
            "boarded": JSONValue(record.boarded), "ended": JSONValue(record.ended),
            "fare": JSONValue(ended.fare?.share),
        ]
    }
}

extension RideState {
    /// The state for programs.
    var word: String {
        switch self {
        case .asking: "searching"
        case .held: "held"
        case .parked: "parked"
        case .reserved: "reserved"
        case .coming: "coming"
        case .here: "here"
        case .aboard: "aboard"
        }
    }

    /// The last state of a ride, in which the dispatcher does not know it any more.
    static let ended = "ended"

    /// All states of a ride, and the last one.
    static let words = [
        "searching", "held", "parked", "reserved", "coming", "here", "aboard", ended,
    ]
}

extension RequestOutcome {
    /// The outcome for programs, as the enumeration names it.
    var word: String { "\(self)" }

    /// The words of all outcomes, in the order of the enumeration.
    static let words = allCases.map(\.word)
}

extension Schema {
    /// A ride that an application ordered.
    static let ride = Schema.named(
        "Ride",
        [
            Member("request", .integer, "The number of the request."),
            Member("state", .choice(RideState.words), "How far it is."),
            Member("outcome", .optional(.choice(RequestOutcome.words)), "How it ended."),
            Member("ordered", .moment, "When your application ordered it."),
            Member("due", .optional(.moment), "The time of a reservation."),
            Member("pickup", .optional(.place), "Where the taxi comes; null when forgotten."),
            Member("destination", .optional(.place), "Where the ride ends."),
            Member("drivers_asked", .optional(.integer), "How many drivers were asked so far."),
            Member("taxi", .optional(.taxiOfRide), "The taxi that comes."),
            Member("arrival", .optional(.moment), "When it arrives, or arrived."),
            Member("boarded", .optional(.moment), "When the passengers boarded."),
            Member("ended", .optional(.moment), "When the ride ended."),
            Member("fare", .optional(.money), "What the passenger pays."),
        ]
    )

    private static let taxiOfRide = Schema.named(
        "TaxiOfRide",
        [
            Member("code", .text, "The code on the taxi."),
            Member("plate", .optional(.text), "The number plate."),
            Member("make", .optional(.text), "Make and model; null if the papers state none."),
            Member(
                "colour",
                .optional(.choice(VehicleColour.allCases.map(\.rawValue))),
                "The colour; null if the papers state none."
            ),
            Member("position", .optional(.place), "Where it is now."),
            Member("position_at", .optional(.moment), "When it was there."),
        ]
    )
}
