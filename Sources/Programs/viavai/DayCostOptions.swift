import ArgumentParser
import CityData
import Journeys
import TripPlanning

/// The options of `viavai day` about money and emissions.
struct DayCostOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Fare products that the traveller owns: the identifiers of the feeds.",
            valueName: "ID[,ID]"
        )
    )
    var passes: String?

    @Option(
        help: ArgumentHelp(
            "The most that one journey may cost. A dearer one is made only if nothing else "
                + "arrives in time, with a warning.",
            valueName: "amount"
        )
    )
    var maxMoney: String?

    @Option(
        help: ArgumentHelp(
            "The most grams of CO2e of one journey, likewise.",
            valueName: "grams"
        )
    )
    var maxCo2: Int64?

    @OptionGroup
    var modes: ModeLimitOptions
    @Option(
        help: ArgumentHelp(
            "The limits that may be given up if no plan keeps to all of them, the first one first: "
                + "some of money, co2, mode-limits, walk, avoid, no-wet; or all, in this order.",
            valueName: "list"
        )
    )
    var relax: String?

    /// The limits that may be given up.
    func relaxing() throws -> [TripConstraint] { try CostOptions.relaxing(relax) }

    /// The identifiers of the passes, which some feed of the city must sell.
    func ownedPasses(in city: City) throws -> [String] {
        try CostOptions.ownedPasses(passes, in: [city])
    }

    /// The limits of one journey.
    func limits() throws -> TripLimits {
        let table = TripCosts.standard
        return TripLimits(
            minorUnits: try maxMoney.map { try CostOptions.amount($0, "--max-money", table) },
            grams: maxCo2,
            modes: try modes.limits()
        )
    }
}
