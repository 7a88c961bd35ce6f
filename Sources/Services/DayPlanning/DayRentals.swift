import Chronology
import CityData
import DayPlan
import Geo
import TripPlanning

/// The ways by shared vehicles between the places of a day, each asked for once.
///
/// What is known now of vehicles and docks counts for departures within an hour (decision 0046), so
/// that days farther ahead have no such ways.
final class DayRentals {
    private let conditions: TripConditions
    private let answer: DayPlanner.Answerer
    private var known: [Key: RentalWay?] = [:]

    /// The most questions that are asked about a day; each takes some milliseconds.
    private static let questionsLimit = 2_000

    /// What a way depends on.
    private struct Key: Hashable {
        let kind: TripKind
        let from: Coordinate
        let to: Coordinate
        let time: Instant
        let maxWalkMetres: UInt32?
        let avoided: [ModeHours]
        let avoidsRain: Bool
    }

    /// - Parameters:
    ///   - conditions: what live feeds say.
    ///   - answer: answers how to get from one place to another.
    init(_ conditions: TripConditions, answer: @escaping DayPlanner.Answerer) {
        self.conditions = conditions
        self.answer = answer
    }

    /// The ways between the places of a day; nil if nothing is known of any vehicle.
    func ways(_ day: DayInput, _ places: [ResolvedPlace], _ modes: TripModes) -> RentalWays? {
        guard !modes.shared.isEmpty, conditions.knowsRentals, !day.wheelchair else {
            return nil
        }
        return RentalWays(departures: conditions.rentalDepartures) { mode, from, to, departure in
            self.way(
                day.question(
                    places[Int(from.rawValue)],
                    places[Int(to.rawValue)],
                    departure,
                    modes.only(TripKind(mode)),
                    now: self.conditions.now
                ),
                TripKind(mode)
            )
        }
    }

    private func way(_ question: TripQuestion, _ kind: TripKind) -> RentalWay? {
        guard let from = question.from.coordinate, let to = question.to.coordinate else {
            return nil
        }
        let key = Key(
            kind: kind,
            from: from,
            to: to,
            time: question.time,
            maxWalkMetres: question.maxWalkMetres,
            avoided: question.avoided,
            avoidsRain: question.avoidsRain
        )
        if let way = known[key] { return way }
        guard known.count < Self.questionsLimit else { return nil }
        let trip = (try? answer(question))?.options.first { $0.kind == kind }
        let way = trip.map { trip in
            RentalWay(
                seconds: Int32(clamping: trip.arrival.seconds - question.time.seconds),
                walkMetres: Int32(clamping: trip.walkMetres)
            )
        }
        known[key] = .some(way)
        return way
    }
}
