import Chronology
import CityData
import Foundation
import Transit
import TripPlanning

/// Formats answers as readable text.
struct TripText {
    private let answer: TripAnswer
    private let zone: ZoneTable
    private let saysRain: Bool

    /// The maximum number of streets named for a walk; "…" stands for the rest.
    private static let streetLimit = 6
    /// Walks up to this many metres name no streets, since the destination is in sight.
    private static let nearbyMetres: UInt32 = 50
    /// The caveat about a taxi if no taxi service is asked.
    private static let estimate =
        "an estimate from the map, without traffic; wait and fare are not known"

    /// Creates a formatter for an answer, in a city's time zone.
    ///
    /// - Parameters:
    ///   - answer: the answer.
    ///   - zone: the city's clocks.
    ///   - saysRain: whether to say for how long each option is in the rain.
    init(_ answer: TripAnswer, zone: ZoneTable, saysRain: Bool = false) {
        self.answer = answer
        self.saysRain = saysRain
        self.zone = zone
    }

    /// The text of all options.
    var text: String {
        let question = answer.question
        let day = zone.local(question.time).date
        let weekdays = [
            "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
        ]
        var lines = [
            "\(question.from.name) → \(question.to.name)",
            "\(weekdays[Int(day.weekday)]) \(day.iso8601), "
                + "\(question.isArriveBy ? "arriving by" : "leaving from") "
                + zone.clock(question.time),
        ]
        for (number, option) in answer.options.enumerated() {
            lines.append("")
            lines.append("\(number + 1).  " + summary(option))
            let excesses = option.excesses.map { $0.text(in: zone) }.joined(separator: "; ")
            if !excesses.isEmpty { lines.append("    beyond your limits: " + excesses) }
            lines += legs(of: option).map { "    " + $0 }
        }
        if !answer.missing.isEmpty {
            lines += ["", "Not offered:"]
            lines += MissingText.lines(answer.missing, in: zone).map { "    " + $0 }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The lines that describe the legs of an option, and its end.
    func legs(of option: TripOption) -> [String] {
        var lines = option.steps.flatMap(describe)
        if option.kind == .taxi { lines.append("       " + Self.estimate) }
        lines.append("\(zone.clock(option.arrival))  \(answer.question.to.name)")
        return lines
    }

    /// An option in a few words, such as "Tram 14 to Duomo".
    func title(of option: TripOption) -> String {
        let rides = option.steps.compactMap(\.ride).map { "\(name($0.mode)) \($0.lineName)" }
        let means =
            switch option.kind {
            case .transit: rides.joined(separator: ", ")
            case .walk: "Walk"
            case .bicycle: "Cycle"
            case .bikeshare: "Shared bicycle"
            case .scooter: "Shared scooter"
            case .car: "Drive"
            case .carshare: "Shared car"
            case .taxi: "Taxi"
            }
        return "\(means) to \(answer.question.to.name)"
    }

    private func summary(_ option: TripOption) -> String {
        let minutes = minutes(from: option.departure, to: option.arrival)
        var parts = [
            "\(zone.clock(option.departure)) – \(zone.clock(option.arrival))\(day(option))",
            (option.kind == .taxi ? "about " : "") + duration(minutes),
        ]
        if option.steps.contains(where: { $0.ride != nil }) {
            let changes = option.transfers
            parts.append(changes == 0 ? "direct" : changes == 1 ? "1 change" : "\(changes) changes")
        }
        if option.walkMetres > 0 { parts.append("\(metres(option.walkMetres)) on foot") }
        parts.append(Self.price(option.price))
        parts.append(option.emissions.map { Self.mass($0.grams) } ?? "CO2e unknown")
        if let share = option.onTime {
            parts.append("\(Int((share * 100).rounded()))% on time")
        }
        if option.trafficMinutes > 0 { parts.append("\(option.trafficMinutes) min of traffic") }
        if saysRain {
            parts.append(
                option.wetMinutes.map { $0 == 0 ? "dry" : "\($0) min in the rain" }
                    ?? "rain unknown"
            )
        }
        return parts.joined(separator: " · ")
    }

    /// A price in words; an unknown one is said.
    static func price(_ price: TripPrice) -> String {
        guard let text = price.text else { return "price unknown" }
        if case .estimated = price { return "about \(text)" }
        return price.minorUnits == 0 ? "free" : text
    }

    private static func mass(_ grams: Int64) -> String {
        grams < 1_000 ? "\(grams) g CO2e" : String(format: "%.1f kg CO2e", Double(grams) / 1_000)
    }

    /// The day on which an option begins, if it differs from the requested day.
    private func day(_ option: TripOption) -> String {
        let begins = zone.local(option.departure).date
        return begins == zone.local(answer.question.time).date ? "" : " on \(begins.iso8601)"
    }

    private func describe(_ step: TripStep) -> [String] {
        guard let ride = step.ride else { return describeWay(step) }
        var line = announced(ride)
        if ride.isApproximate { line += " (about this time)" }
        if ride.isByArrangement { line += " (call ahead)" }
        let count = ride.stops.count - 1
        var lines = [
            "\(zone.clock(step.departure))  \(line)",
            "       from \(stop(step.from)) to \(stop(step.to)), "
                + "\(count) \(count == 1 ? "stop" : "stops"), arriving \(zone.clock(step.arrival))",
        ]
        for (part, before) in zip(ride.continuations, [ride] + ride.continuations)
        where announced(part) != announced(before) {
            guard let first = part.stops.first, let departure = first.departure else { continue }
            lines.append(
                "       stay seated, continues as \(announced(part)) at \(stop(first)), "
                    + zone.clock(departure)
            )
        }
        return lines
    }

    /// The name of a trip as its vehicle shows it: line and headsign.
    private func announced(_ ride: TripRide) -> String {
        "\(name(ride.mode)) \(ride.lineName)"
            + (ride.headsign.isEmpty ? "" : " towards \(ride.headsign)")
    }

    private func describeWay(_ step: TripStep) -> [String] {
        guard step.metres > 0 || step.arrival > step.departure else { return [] }
        let verb =
            switch step.kind {
            case .bicycle: "Cycle"
            case .bikeshare: "Rent a bicycle of \(step.rental?.system ?? "") and cycle"
            case .scooter: "Rent a scooter of \(step.rental?.system ?? "") and ride"
            case .car: "Drive"
            case .carshare: "Rent a car of \(step.rental?.system ?? "") and drive"
            case .taxi: "Take a taxi"
            case .transit: "Ride"
            case .walk: answer.question.wheelchair ? "Go" : "Walk"
            }
        let target = step.to == nil ? step.toName : stop(step.to)
        let minutes = max(1, minutes(from: step.departure, to: step.arrival))
        var lines = [
            "\(zone.clock(step.departure))  \(verb) \(metres(step.metres)) to \(target), "
                + duration(minutes)
        ]
        let streets = step.metres > Self.nearbyMetres ? streetNames(step) : []
        if !streets.isEmpty {
            let shown = streets.prefix(Self.streetLimit).joined(separator: ", ")
            lines.append("       along \(shown)\(streets.count > Self.streetLimit ? ", …" : "")")
        }
        for (straight, place) in [
            (step.straightStartMetres, "the first"), (step.straightEndMetres, "the last"),
        ] where straight > 0 {
            lines.append("       \(place) \(metres(straight)) straight: the map has no way there")
        }
        return lines
    }

    /// The named streets of a leg in the order of first use.
    private func streetNames(_ step: TripStep) -> [String] {
        // Some mappers write "Piazza Leonardo da Vinci", others "Piazza Leonardo Da Vinci".
        var known: Set<String> = []
        return step.streets.map(\.name).filter { name in
            !name.isEmpty && known.insert(name.lowercased()).inserted
        }
    }

    private func stop(_ stop: TripStop?) -> String {
        guard let stop else { return "" }
        return stop.platform.map { "\(stop.name) (platform \($0))" } ?? stop.name
    }

    /// Minutes between two instants as displayed, so that the reader's sums are right.
    private func minutes(from departure: Instant, to arrival: Instant) -> Int64 {
        arrival.seconds / 60 - departure.seconds / 60
    }

    private func duration(_ minutes: Int64) -> String {
        minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }

    private func metres(_ metres: UInt32) -> String {
        metres < 1_000 ? "\(metres) m" : String(format: "%.1f km", Double(metres) / 1_000)
    }

    private func name(_ mode: TransitMode) -> String {
        switch mode {
        case .tram: "Tram"
        case .metro: "Metro"
        case .rail: "Train"
        case .bus: "Bus"
        case .trolleybus: "Trolleybus"
        case .coach: "Coach"
        case .ferry: "Ferry"
        case .cableTram: "Cable tram"
        case .aerialLift: "Cable car"
        case .funicular: "Funicular"
        case .monorail: "Monorail"
        case .air: "Flight"
        case .other: "Line"
        }
    }
}

extension ZoneTable {
    /// Hours and minutes of an instant on these clocks, as `08:30`.
    func clock(_ instant: Instant) -> String {
        LocalTime(instant, in: self).clockTime()
    }
}
