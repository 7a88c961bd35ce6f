package import Chronology
import Geo

extension Forecast {
    /// The weather services whose answers can be read.
    package enum Service: String, Hashable, Sendable, CaseIterable {
        /// Open-Meteo, `/v1/forecast`.
        case openMeteo = "open-meteo"
        /// MET Norway, `locationforecast/2.0`.
        case metNorway = "met-norway"
    }

    /// Reads the answer of a weather service.
    ///
    /// - Parameters:
    ///   - bytes: the answer.
    ///   - service: whose answer it is.
    ///   - fetched: when it was asked for.
    /// - Throws: what is wrong with which field.
    package init(
        _ bytes: [UInt8],
        from service: Service,
        fetched: Instant
    ) throws(FeedFailure) {
        do {
            let document = try FeedFields(parsing: bytes)
            switch service {
            case .openMeteo: try self.init(openMeteo: document, fetched: fetched)
            case .metNorway: try self.init(metNorway: document, fetched: fetched)
            }
        } catch {
            throw error.failure(in: service.rawValue)
        }
    }

    /// How many entries of each list are read: 16 days in quarters of an hour, and some.
    private static let entryLimit = 2_000

    private static func place(
        _ latitude: Double,
        _ longitude: Double,
        _ field: String
    ) throws(FeedTrouble) -> Coordinate {
        guard let place = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude) else {
            throw FeedTrouble(field, .badValue("\(latitude), \(longitude)"))
        }
        return place
    }
}

// Open-Meteo.
extension Forecast {
    private init(openMeteo document: FeedFields, fetched: Instant) throws(FeedTrouble) {
        if try document.flag("error") ?? false {
            throw FeedTrouble("", .refused(try document.text("reason") ?? ""))
        }
        let place = try Self.place(
            document.required("latitude", try document.number("latitude")),
            document.required("longitude", try document.number("longitude")),
            "latitude"
        )
        let offset = try document.number("utc_offset_seconds") ?? 0
        guard abs(offset) <= 86_400 else {
            throw FeedTrouble("utc_offset_seconds", .badValue("\(offset)"))
        }
        var intervals: [Interval] = []
        for (name, seconds) in [("minutely_15", Int64(900)), ("hourly", 3_600)] {
            guard let columns = try document.fields(name) else { continue }
            let units = try document.fields("\(name)_units")
            let factor = try Self.millimetres(units)
            do {
                intervals += try Self.intervals(columns, seconds, Int64(offset), factor)
            } catch {
                throw error.within(name)
            }
        }
        guard !intervals.isEmpty else { throw FeedTrouble("hourly.precipitation", .missing) }
        self.init(place: place, made: fetched, intervals: intervals)
    }

    /// How many millimetres the unit of precipitation has.
    private static func millimetres(_ units: FeedFields?) throws(FeedTrouble) -> Double {
        switch try units?.text("precipitation") {
        case nil, "mm": return 1
        case "inch": return 25.4
        case .some(let unit): throw FeedTrouble("precipitation", .badValue(unit))
        }
    }

    /// The intervals of one resolution, whose columns are as long as that of the times.
    ///
    /// Each value is the sum of the time *before* the moment that stands beside it.
    private static func intervals(
        _ columns: FeedFields,
        _ seconds: Int64,
        _ offset: Int64,
        _ factor: Double
    ) throws(FeedTrouble) -> [Interval] {
        guard let amounts = try columns.list("precipitation") else { return [] }
        let times = try columns.required("time", try columns.list("time"))
        let probabilities = try columns.list("precipitation_probability")
        guard times.count <= entryLimit else {
            throw FeedTrouble("time", .tooMany(limit: entryLimit))
        }
        guard amounts.count == times.count else {
            throw FeedTrouble("precipitation", .expected("as long as the list of times"))
        }
        guard probabilities.map({ $0.count == times.count }) ?? true else {
            let problem = FeedFailure.Problem.expected("as long as the list of times")
            throw FeedTrouble("precipitation_probability", problem)
        }
        var intervals: [Interval] = []
        for index in times.indices where amounts[index] != .null {
            guard let amount = amounts[index].double, (0...1_000).contains(amount) else {
                throw FeedTrouble("precipitation[\(index)]", .expected("an amount of rain"))
            }
            let probability = probabilities?[index].double
            guard probability.map({ (0...100).contains($0) }) ?? true else {
                throw FeedTrouble("precipitation_probability[\(index)]", .expected("a percentage"))
            }
            let end = try moment(times[index], offset, index)
            intervals.append(
                Interval(
                    start: end.adding(seconds: -seconds),
                    end: end,
                    millimetres: amount * factor,
                    probability: probability.map { $0 / 100 }
                )
            )
        }
        return intervals
    }

    /// A time in the answer's own offset, or in seconds since 1970.
    private static func moment(
        _ value: JSONValue,
        _ offset: Int64,
        _ index: Int
    ) throws(FeedTrouble) -> Instant {
        var seconds: Int64?
        if case .integer(let number) = value { seconds = number }
        if let text = value.text {
            seconds = LocalTime(iso8601: text).map { $0.wallSeconds - offset }
        }
        guard let seconds, FeedTime.range.contains(seconds) else {
            throw FeedTrouble("time[\(index)]", .expected("a time"))
        }
        return Instant(seconds: seconds)
    }
}

// MET Norway.
extension Forecast {
    private init(metNorway document: FeedFields, fetched: Instant) throws(FeedTrouble) {
        let geometry = try document.required("geometry", try document.fields("geometry"))
        let numbers = (try geometry.list("coordinates") ?? []).compactMap(\.double)
        guard numbers.count >= 2 else {
            throw FeedTrouble("geometry.coordinates", .expected("a position"))
        }
        let place = try Self.place(numbers[1], numbers[0], "geometry.coordinates")
        let properties = try document.required("properties", try document.fields("properties"))
        do throws(FeedTrouble) {
            let meta = try properties.fields("meta")
            let unit = try meta?.fields("units")?.text("precipitation_amount") ?? "mm"
            guard unit == "mm" else {
                throw FeedTrouble("meta.units.precipitation_amount", .badValue(unit))
            }
            let made = try meta?.instant("updated_at") ?? fetched
            let series = try properties.required("timeseries", try properties.list("timeseries"))
            guard series.count <= Self.entryLimit else {
                throw FeedTrouble("timeseries", .tooMany(limit: Self.entryLimit))
            }
            let steps = try properties.each("timeseries", Self.intervals)
            self.init(place: place, made: made, intervals: steps.flatMap { $0 })
        } catch {
            throw error.within("properties")
        }
        guard !intervals.isEmpty else { throw FeedTrouble("properties.timeseries", .missing) }
    }

    /// What one moment says about the hour and the six hours after it.
    private static func intervals(_ step: FeedFields) throws(FeedTrouble) -> [Interval] {
        let start = try step.required("time", try step.instant("time"))
        let data = try step.required("data", try step.fields("data"))
        var intervals: [Interval] = []
        for (name, hours) in [("next_1_hours", Int64(1)), ("next_6_hours", 6)] {
            do throws(FeedTrouble) {
                guard let details = try data.fields(name)?.fields("details"),
                    let amount = try details.amount("precipitation_amount")
                else { continue }
                let percent = try details.amount("probability_of_precipitation")
                guard percent.map({ $0 <= 100 }) ?? true, amount <= 1_000 else {
                    throw FeedTrouble("details", .badValue("\(amount) mm, \(percent ?? 0) %"))
                }
                intervals.append(
                    Interval(
                        start: start,
                        end: start.adding(seconds: hours * 3_600),
                        millimetres: amount,
                        probability: percent.map { $0 / 100 }
                    )
                )
            } catch {
                throw error.within("data.\(name)")
            }
        }
        return intervals
    }
}
