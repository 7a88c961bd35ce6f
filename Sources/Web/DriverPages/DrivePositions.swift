import Chronology
import Dispatching
import Encoding
import Geo
import HTTPTypes
import Identity
import Localization
import OpenData
import Positions
import Taxi
import TaxiPages
import WebCore

/// A batch of positions from a driver's device, with timestamps of the device's clock.
struct PositionMessage: Sendable {
    /// One measured position.
    struct Position: Sendable {
        /// The time of measurement, in milliseconds since 1970 by the device's clock.
        var at: Int64
        /// Latitude in degrees north.
        var latitude: Double
        /// Longitude in degrees east.
        var longitude: Double
        /// The accuracy in metres; nil if the device does not report it.
        var accuracy: Double?
    }

    /// The time of sending, in milliseconds since 1970 by the device's clock.
    var sentAt: Int64
    /// The positions, in any order.
    var positions: [Position]
    /// Whether the page shows a ride and requests an update of its distance and meter.
    var asksRide: Bool

    /// The maximum size of a batch in bytes, sufficient for
    /// ``PositionIntake/batchLimit`` positions.
    static let bodyLimit = 65_536
    /// The maximum age of a position when it is sent, in milliseconds: one hour, such as without
    /// reception in an underground car park.
    static let oldest: Int64 = 3_600_000
    /// The range of plausible timestamps, in milliseconds: until the year 2200.
    static let times: ClosedRange<Int64> = 0...7_258_118_400_000

    /// An error that makes a whole batch invalid.
    enum Flaw: Error, Hashable, Sendable {
        /// The body is not JSON of the expected form.
        case unreadable
        /// The batch has no positions.
        case empty
        /// The batch has more than ``PositionIntake/batchLimit`` positions.
        case tooMany
        /// A timestamp is out of range, a position is older than one hour, or it is
        /// newer than the batch.
        case badTime
        /// A coordinate is not a place on Earth, or an accuracy is invalid.
        case badPlace
    }

    /// Parses a batch from JSON.
    ///
    /// - Throws: ``Flaw``.
    init(json bytes: [UInt8]) throws(Flaw) {
        guard let message = (try? JSONValue(parsing: bytes))?.object,
            let sentAt = Self.whole(message["sentAt"]),
            let list = message["positions"]?.list
        else { throw .unreadable }
        self.sentAt = sentAt
        asksRide = message["ride"] == .bool(true)
        positions = []
        for value in list {
            guard let position = Self.position(value) else { throw .unreadable }
            positions.append(position)
        }
    }

    private static func position(_ value: JSONValue) -> Position? {
        guard let fields = value.object, let at = whole(fields["at"]),
            let latitude = fields["latitude"]?.double,
            let longitude = fields["longitude"]?.double
        else { return nil }
        let accuracy = fields["accuracy"] ?? .null
        guard accuracy == .null || accuracy.double != nil else { return nil }
        return Position(
            at: at,
            latitude: latitude,
            longitude: longitude,
            accuracy: accuracy.double
        )
    }

    private static func whole(_ value: JSONValue?) -> Int64? {
        if case .integer(let number) = value { return number }
        return value?.double.flatMap { Int64(exactly: $0) }
    }

    /// Converts the batch to position reports.
    func reports() throws(Flaw) -> [PositionReport] {
        if positions.isEmpty { throw .empty }
        if positions.count > PositionIntake.batchLimit { throw .tooMany }
        guard Self.times.contains(sentAt) else { throw .badTime }
        var reports: [PositionReport] = []
        for position in positions {
            guard Self.times.contains(position.at),
                (0...Self.oldest).contains(sentAt - position.at)
            else { throw .badTime }
            guard
                let place = Coordinate(
                    latitudeDegrees: position.latitude,
                    longitudeDegrees: position.longitude
                ), position.accuracy.map({ (0...1e6).contains($0) }) ?? true
            else { throw .badPlace }
            reports.append(
                PositionReport(
                    at: Moment(milliseconds: position.at),
                    place: place,
                    accuracyMetres: position.accuracy
                )
            )
        }
        return reports
    }
}

extension DriverPages {
    /// Accepts positions measured by a driver's device; the taxi is the driver's own.
    ///
    /// - Returns: no content where all positions were used, or an update of the ride where the page
    ///   requests one; otherwise a problem that describes each error.
    func takePositions(
        _ context: RequestContext,
        _ driver: PersonNumber,
        _ number: TaxiNumber
    ) async throws -> Response {
        let message: PositionMessage
        let reports: [PositionReport]
        do throws(PositionMessage.Flaw) {
            message = try PositionMessage(json: context.form.json ?? [])
            reports = try message.reports()
        } catch {
            return problem(
                error.name,
                error == .unreadable ? .badRequest : .unprocessableContent,
                context.say(PositionTexts.notUsed),
                context.say(error.text)
            )
        }
        let sentAt = Moment(milliseconds: message.sentAt)
        let all = try use(reports, sentAt: sentAt, by: driver, in: number)
        if all.isEmpty {
            return try await message.asksRide ? rideNews(of: number, context) : Response(.noContent)
        }
        let list = all.map { fault in
            JSONString.object(["fault": fault.name, "detail": context.say(fault.text)])
        }
        return problem(
            "position-not-used",
            .unprocessableContent,
            context.say(PositionTexts.notUsed),
            all.map { context.say($0.text) }.joined(separator: " "),
            further: ",\"faults\":[\(list.joined(separator: ","))]"
        )
    }

    /// Uses positions that a driver's device measured.
    ///
    /// - Returns: what is wrong with those that were not used, each once.
    func use(
        _ reports: [PositionReport],
        sentAt: Moment,
        by driver: PersonNumber,
        in number: TaxiNumber
    ) throws -> [PositionFault] {
        // The demonstration drives this taxi, so the visitor's actual position is ignored.
        if environment.demonstration?.isDriven(driver) == true { return [] }
        let before = try taxi.lastReport(by: number)
        let faults = try taxi.report(
            PositionBatch(taxi: number, sentAt: sentAt, reports: reports)
        )
        // A device that sends only unusable or outdated positions is not measuring now, so the
        // driver may still state a place.
        if let used = try taxi.lastReport(by: number), used != before, !used.isStated {
            let source = DriverCache.Source(
                driver: driver,
                at: used.at,
                accuracyMetres: used.accuracyMetres
            )
            drivers.note(source, of: number)
        }
        return faults.sorted { $0.rawValue < $1.rawValue }
    }
}

extension PositionFault {
    /// The machine-readable error name.
    var name: String {
        switch self {
        case .outdated: "outdated"
        case .tooOften: "too-often"
        case .noPlace: "no-place"
        case .vague: "vague"
        case .leap: "leap"
        case .unknownTaxi: "unknown-taxi"
        }
    }

    /// The error message for the driver.
    var text: Text {
        switch self {
        case .outdated:
            DrivingTexts.positionTooOld
        case .tooOften:
            DrivingTexts.positionsTooFrequent
        case .noPlace:
            DrivingTexts.aPositionWasNoPlace
        case .vague:
            DrivingTexts.aPositionWasTooVague
        case .leap:
            DrivingTexts.aPositionWasTooFar
        case .unknownTaxi:
            DrivingTexts.yourTaxiIsNotRegistered
        }
    }
}

extension PositionMessage.Flaw {
    /// The machine-readable error name.
    fileprivate var name: String {
        switch self {
        case .unreadable: "positions-unreadable"
        case .empty: "positions-empty"
        case .tooMany: "positions-too-many"
        case .badTime: "position-bad-time"
        case .badPlace: "position-bad-place"
        }
    }

    /// The error message as text.
    fileprivate var text: Text {
        switch self {
        case .unreadable:
            DrivingTexts.notAListOfPositions
        case .empty: DrivingTexts.emptyListOfPositions
        case .tooMany:
            DrivingTexts.tooManyPositions(PositionIntake.batchLimit)
        case .badTime:
            DrivingTexts.badPositionTime
        case .badPlace:
            DrivingTexts.aPositionOrItsAccuracy
        }
    }
}
