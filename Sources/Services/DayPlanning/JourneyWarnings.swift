package import Chronology
import TripPlanning

extension TripConditions {
    /// How many minutes of traffic people are told of.
    static let trafficMinutes: Int64 = 5

    /// The warnings of a journey of a day.
    ///
    /// - Parameters:
    ///   - trip: the journey.
    ///   - avoidsRain: whether its owner does not cycle in the rain.
    ///   - modes: the means of travel that could be chosen.
    /// - Returns: rain, traffic, then a bicycle that stays at home, then disruptions.
    func warnings(
        of trip: TripOption,
        avoidsRain: Bool,
        _ modes: TripModes
    ) -> [JourneyWarning] {
        // What is over is nothing to be warned of.
        guard trip.arrival > now else { return [] }
        var warnings: [JourneyWarning] = []
        if let minutes = trip.wetMinutes, minutes > 0 { warnings.append(.rain(minutes: minutes)) }
        if trip.trafficMinutes >= Self.trafficMinutes {
            warnings.append(.traffic(minutes: trip.trafficMinutes))
        }
        let cycles = trip.steps.contains { $0.kind == .bicycle }
        if avoidsRain, modes.bicycle, !cycles, trip.departure < trip.arrival,
            let reason = rain(during: trip.departure..<trip.arrival)
        {
            warnings.append(.noCycling(reason))
        }
        if modes.transit != 0 {
            warnings += disruptions(of: trip).filter { !$0.isRevoked }.map { .disruption($0) }
        }
        return warnings
    }
}

extension JourneyWarning {
    /// The kind of the warning, for programs.
    var name: String {
        switch self {
        case .rain: "rain"
        case .traffic: "traffic"
        case .noCycling: "no_cycling"
        case .noDriving: "no_driving"
        case .limit: "limit"
        case .disruption(let disruption): disruption.isStrike ? "strike" : "alert"
        }
    }

    /// The warning in English, for the command line and for programs.
    package func text(in zone: ZoneTable) -> String {
        switch self {
        case .rain(let minutes): "\(minutes) min in the rain"
        case .noCycling(let reason):
            "not by bicycle: \(TripMissing(.kind(.bicycle), reason).reasonText(in: zone))"
        case .traffic(let minutes): "\(minutes) min longer in traffic"
        case .noDriving(let minutes): "not by car: \(minutes) min longer in traffic"
        case .limit(let reason): reason.text(in: zone)
        case .disruption(let disruption): disruption.text(in: zone)
        }
    }
}
