import Chronology
import Dispatching
import Drivers
import HTTPTypes
import Identity
import Markup
import OpenData
import Taxi
import TaxiPages
import WebCore

/// What the Mobility Data Specification 2.0 (provider API, passenger services) tells regulators:
/// vehicles, their state, events and trips, from the log (decision 0061).
///
/// No person is in it: places are zones, and what the standard leaves to the provider and would
/// lead to a person, such as the driver or the plate, is left out.
extension CityAPI {
    /// How long recent events can be read, in seconds: two weeks.
    private static let recentSeconds: Int64 = 14 * 86_400
    /// The longest period of recent events that one answer covers, in seconds.
    private static let longestPeriod: Int64 = 3_600
    /// How many vehicles are on a page.
    private static let vehiclesRead = 100

    private static let hour = InputField.Kind.text(13)

    private static let page = InputField.query(
        "page",
        .number(0...Int64(UInt32.max)),
        "The page, as a link of an answer names it."
    )

    var mobilityOperations: [Operation] { vehicleOperations + eventOperations }

    private var vehicleOperations: [Operation] {
        [
            .get(
                "/api/mds/vehicles",
                as: "api.mds.vehicles",
                "List the vehicles (MDS)",
                in: .mobility,
                for: [.readMobility],
                returns: .mdsVehicles
            ) { call in
                let (taxis, next) = try await vehicles(call, at: "/api/mds/vehicles")
                let codes = try await visibleCodes(taxis)
                let items = taxis.compactMap { taxi in codes[taxi.code].map { json(taxi, $0) } }
                return Answer(current(["vehicles": .list(items), "links": next], call))
            }
            .taking([Self.page])
            .explained(
                """
                `vehicle_id` is the code on the taxi. How a taxi is driven is not recorded: the \
                standard wants a value, and `combustion` stands there for all.
                """
            ),
            .get(
                "/api/mds/vehicles/status",
                as: "api.mds.status",
                "List the state of the vehicles (MDS)",
                in: .mobility,
                for: [.readMobility],
                returns: .mdsStatus
            ) { call in
                let (taxis, next) = try await vehicles(call, at: "/api/mds/vehicles/status")
                let codes = Dictionary(taxis.map { ($0.number, $0.code) }) { first, _ in first }
                let events = try await taxi.lastVehicleEvents(of: taxis)
                let items = events.compactMap { event in
                    codes[event.taxi].map { status(event, of: $0) }
                }
                return Answer(current(["vehicles_status": .list(items), "links": next], call))
            }
            .taking([Self.page])
            .costing(5)
            .explained("Taxis that have never worked have no state. Places are those of zones."),
        ]
    }

    private var eventOperations: [Operation] {
        [
            .get(
                "/api/mds/trips",
                as: "api.mds.trips",
                "List the trips that ended in an hour (MDS)",
                in: .mobility,
                for: [.readMobility],
                returns: .mdsTrips
            ) { call in
                let (start, end) = try Self.pastHour(call, "end_time")
                let trips = try await taxi.vehicleTrips(endedFrom: start, to: end)
                return Answer(["version": Self.version, "trips": .list(trips.map(json))])
            }
            .taking([.query("end_time", Self.hour, "The hour in UTC: 2027-01-16T08.").required])
            .failing(.notFound)
            .costing(20)
            .explained(
                """
                Start and end are the middle of the zones, or that of the city where a zone is not \
                known. Each passenger of a shared taxi has a trip; they have `journey_id` in common.
                """
            ),
            .get(
                "/api/mds/events/historical",
                as: "api.mds.events",
                "List the events of an hour (MDS)",
                in: .mobility,
                for: [.readMobility],
                returns: .mdsEvents
            ) { call in
                let (start, end) = try Self.pastHour(call, "event_time")
                return Answer(try await events(from: start, to: end))
            }
            .taking([.query("event_time", Self.hour, "The hour in UTC: 2027-01-16T08.").required])
            .failing(.notFound)
            .costing(20),
            .get(
                "/api/mds/events/recent",
                as: "api.mds.recent",
                "List recent events (MDS)",
                in: .mobility,
                for: [.readMobility],
                returns: .mdsEvents
            ) { call in
                let start = Moment(milliseconds: call.number("start_time") ?? 0)
                let end = Moment(milliseconds: call.number("end_time") ?? 0)
                guard start <= end, start.adding(seconds: Self.longestPeriod) >= end else {
                    let detail = "It must not be before start_time, nor more than an hour after it."
                    throw ProgramRefusal.field("end_time", "out-of-range", detail)
                }
                guard start.adding(seconds: Self.recentSeconds) >= call.now else {
                    let detail = "It must not be more than two weeks ago."
                    throw ProgramRefusal.field("start_time", "out-of-range", detail)
                }
                return Answer(try await events(from: start, to: min(end, call.now)))
            }
            .taking([
                InputField.query("start_time", Self.milliseconds, "The start, in ms since 1970.")
                    .required,
                InputField.query("end_time", Self.milliseconds, "The end, in ms since 1970.")
                    .required,
            ])
            .costing(20)
            .explained("At most an hour at a time, of the last two weeks."),
        ]
    }

    private static let milliseconds = InputField.Kind.number(
        1_514_764_800_000...7_258_118_400_000
    )

    // MARK: Reading

    private func vehicles(
        _ call: Call,
        at path: StaticString
    ) async throws -> ([Taxi], next: JSONValue) {
        let last = call.number("page").map { TaxiNumber(rawValue: UInt32(clamping: $0)) }
        let (taxis, hasMore) = try await taxi.vehicles(after: last, limit: Self.vehiclesRead)
        guard hasMore, let number = taxis.last?.number.rawValue else {
            return (taxis, ["next": .null])
        }
        let address = Address(path, query: ["page": "\(number)"])
        return (taxis, ["next": .text(full(address, call.context))])
    }

    /// The codes on taxis, by their codes in the log.
    private func visibleCodes(_ taxis: [Taxi]) async throws -> [String: String] {
        let people = taxis.compactMap { PersonNumber(dispatcherCode: $0.code) }
        let names = try await accounts.drivers.taxiNames(of: people.sorted())
        return names.reduce(into: [:]) { $0[$1.key.dispatcherCode] = $1.value.code }
    }

    private func events(from start: Moment, to end: Moment) async throws -> JSONValue {
        let events = try await taxi.vehicleEvents(from: start, to: end)
        let codes = try await taxi.dispatch.read { state in
            state.taxis.reduce(into: [TaxiNumber: String]()) { $0[$1.number] = $1.code }
        }
        let items = events.compactMap { event in codes[event.taxi].map { json(event, of: $0) } }
        return ["version": Self.version, "events": .list(items)]
    }

    /// The hour in a field, which must have passed.
    private static func pastHour(
        _ call: Call,
        _ name: String
    ) throws -> (start: Moment, end: Moment) {
        let text = try call.required(name)
        guard let match = text.wholeMatch(of: /(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3])/),
            let day = CivilDate(iso8601: String(match.1)), let hour = Int64(match.2)
        else {
            throw ProgramRefusal.field(name, "malformed", "Write an hour in UTC: 2027-01-16T08.")
        }
        let seconds = Int64(day.daysSince1970) * 86_400 + hour * 3_600
        let start = Moment(milliseconds: seconds * 1_000)
        let end = start.adding(seconds: 3_600)
        guard end <= call.now else { throw Failure.notFound }
        return (start, end)
    }
}
