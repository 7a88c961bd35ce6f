import Chronology
import Dispatching
import Geo
import HTTPTypes
import Identity
import Localization
import OpenData
import Positions
import Taxi
import TaxiPages
import WebCore

/// Positions as a driver's device sends them: a batch, with the device's own times.
struct PositionMessage: Sendable {
    /// One position.
    struct Position: Sendable {
        /// When, in milliseconds since 1970 by the device's clock.
        var at: Int64
        /// Degrees north.
        var latitude: Double
        /// Degrees east.
        var longitude: Double
        /// How exact it is, in metres; nil where the device does not say.
        var accuracy: Double?
    }

    /// When it was sent, in milliseconds since 1970 by the device's clock.
    var sentAt: Int64
    /// The positions, in any order.
    var positions: [Position]
    /// Whether the page shows a ride, and asks how far it is by now and what the meter says.
    var asksRide: Bool

    /// How many bytes a batch may have: ``PositionIntake/batchLimit`` positions.
    static let bodyLimit = 65_536
    /// How old a position may be when it is sent, in milliseconds: an hour in a garage.
    static let oldest: Int64 = 3_600_000
    /// The times of clocks that are believed at all, in milliseconds: until the year 2200.
    static let times: ClosedRange<Int64> = 0...7_258_118_400_000

    /// What is wrong with a batch as a whole.
    enum Flaw: Error, Hashable, Sendable {
        /// It is no JSON of that form.
        case unreadable
        /// It holds nothing.
        case empty
        /// It holds more than ``PositionIntake/batchLimit``.
        case tooMany
        /// A time is none, or a position is older than an hour, or younger than the batch.
        case badTime
        /// A number is no place on Earth, or no accuracy.
        case badPlace
    }

    /// Reads a batch.
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

    /// The reports of a taxi.
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
    /// Takes the positions that a driver's device measured; the taxi is the driver's own.
    ///
    /// - Returns: nothing where all were used, or how the ride runs on where the page asks that;
    ///   else a problem that names each fault in words.
    func takePositions(
        _ visit: Visit,
        _ driver: PersonNumber,
        _ number: TaxiNumber
    ) async throws -> Reply {
        let message: PositionMessage
        let reports: [PositionReport]
        do throws(PositionMessage.Flaw) {
            message = try PositionMessage(json: visit.form.json ?? [])
            reports = try message.reports()
        } catch {
            return problem(
                error.name,
                error == .unreadable ? .badRequest : .unprocessableContent,
                visit.say(PositionTexts.notUsed),
                visit.say(error.words)
            )
        }
        // The city drives him: where the visitor is counts for nothing.
        if environment.demonstration?.isDriven(driver) == true {
            return try await message.asksRide ? rideNews(of: number, visit) : Reply(.noContent)
        }
        let before = try taxi.lastReport(by: number)
        let faults = try taxi.report(
            PositionBatch(
                taxi: number,
                sentAt: Moment(milliseconds: message.sentAt),
                reports: reports
            )
        )
        // A device of which nothing is used, or only what is long past, does not measure now: its
        // driver may say where he is.
        if let used = try taxi.lastReport(by: number), used != before, !used.isStated {
            let source = DriverDesk.Source(
                driver: driver,
                at: used.at,
                accuracyMetres: used.accuracyMetres
            )
            drivers.note(source, of: number)
        }
        if faults.isEmpty {
            return try await message.asksRide ? rideNews(of: number, visit) : Reply(.noContent)
        }
        let all = faults.sorted { $0.rawValue < $1.rawValue }
        let list = all.map { fault in
            "{\"fault\":\"\(fault.name)\",\"detail\":\(JSONText(visit.say(fault.words)))}"
        }
        return problem(
            "position-not-used",
            .unprocessableContent,
            visit.say(PositionTexts.notUsed),
            all.map { visit.say($0.words) }.joined(separator: " "),
            further: ",\"faults\":[\(list.joined(separator: ","))]"
        )
    }
}

extension PositionFault {
    /// The name by which programs know it.
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

    /// What was wrong, for a driver.
    var words: Text {
        switch self {
        case .outdated:
            DrivingTexts.aPositionWasOlderThan
        case .tooOften:
            DrivingTexts.positionsCameMoreOftenThan
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
    /// The name by which programs know it.
    fileprivate var name: String {
        switch self {
        case .unreadable: "positions-unreadable"
        case .empty: "positions-empty"
        case .tooMany: "positions-too-many"
        case .badTime: "position-bad-time"
        case .badPlace: "position-bad-place"
        }
    }

    /// What was wrong, in words.
    fileprivate var words: Text {
        switch self {
        case .unreadable:
            DrivingTexts.thisIsNoListOf
        case .empty: DrivingTexts.thereIsNoPositionIn
        case .tooMany:
            DrivingTexts.atMostPositionsComeAt("\(PositionIntake.batchLimit)")
        case .badTime:
            DrivingTexts.aTimeIsWrongOr
        case .badPlace:
            DrivingTexts.aPositionOrItsAccuracy
        }
    }
}
