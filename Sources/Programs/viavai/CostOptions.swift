import ArgumentParser
import Chronology
import Encoding
import Foundation
import Journeys
import TripPlanning

/// The options of `viavai plan` about money and emissions.
struct CostOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Fare products that one of the travellers owns: the identifiers of the feeds, such as "
                + "those of fare_products.txt.",
            valueName: "ID[,ID]"
        )
    )
    var passes: String?

    @Option(help: ArgumentHelp("How many people travel; prices are for all.", valueName: "number"))
    var party = 1

    @Option(
        help: ArgumentHelp(
            "A CSV file of fuel costs and emissions of the city: key,value,unit,scope,source,year. "
                + "Its rows replace those of the standard table.",
            valueName: "file"
        )
    )
    var costs: String?

    @Option(
        help: ArgumentHelp(
            "How public transport counts: average, or none because it runs anyway.",
            valueName: "model"
        )
    )
    var co2Model = CO2Model.average

    @Option(
        help: ArgumentHelp(
            "The order of the answers: quick, cheap, green or balanced. For green and cheap, "
                + "slower journeys that emit or cost less are looked for, too (for green not with "
                + "--window); balanced orders the quickest journeys.",
            valueName: "aim"
        )
    )
    var prefer: TripPreference?

    @Option(
        help: ArgumentHelp(
            "The value of an hour for --prefer balanced, in the currency of the costs.",
            valueName: "amount"
        )
    )
    var valueOfTime = "12"

    @Option(
        help: ArgumentHelp(
            "The most that a trip may cost all travellers. The best journeys by public transport "
                + "within it are found, even if they are slower; what has no known price is left "
                + "out.",
            valueName: "amount"
        )
    )
    var maxMoney: String?

    @Option(
        help: ArgumentHelp(
            "The most grams of CO2e of a trip for all travellers. The best journeys by public "
                + "transport within it are found, even if they are slower; what emits an unknown "
                + "amount is left out.",
            valueName: "grams"
        )
    )
    var maxCo2: Int64?

    @OptionGroup
    var modes: ModeLimitOptions

    @Option(
        help: ArgumentHelp(
            "What may be given up if no trip keeps to all limits, the first one first: money, "
                + "co2, mode-limits, wet, transfers, walk, avoid, no-wet, or all. As little as "
                + "possible is, and each trip says what it exceeds.",
            valueName: "limit[,limit]"
        )
    )
    var relax: String?

    /// What public transport emits for a passenger.
    enum CO2Model: String, ExpressibleByArgument, CaseIterable {
        case average, none
    }

    /// The options that only an answer for people has, for refusing them elsewhere.
    var choosing: [(String, Bool)] {
        [
            ("--prefer", prefer != nil), ("--value-of-time", valueOfTime != "12"),
            ("--max-money", maxMoney != nil), ("--max-co2", maxCo2 != nil),
            ("--relax", relax != nil), ("--limit", modes.limit != nil),
        ]
    }

    /// All options that were given, for refusing them.
    var given: [(String, Bool)] {
        choosing + [
            ("--passes", passes != nil), ("--party", party != 1), ("--costs", costs != nil),
            ("--co2-model", co2Model != .average),
        ]
    }

    func validate() throws {
        guard TripCosting.partyLimits.contains(party) else {
            throw ValidationError(
                "--party \(party): write a number from \(TripCosting.partyLimits.lowerBound) to "
                    + "\(TripCosting.partyLimits.upperBound)"
            )
        }
    }

    /// The costs of the standard table and of the file.
    func table() throws -> TripCosts {
        var table = TripCosts.standard
        if let costs {
            guard let data = FileManager.default.contents(atPath: costs) else {
                throw CommandFailure.badInput("\(costs): cannot be read; is the path right?")
            }
            do throws(TripCostsFailure) {
                table = table.overridden(by: try TripCostsReader.costs([UInt8](data)))
            } catch {
                throw CommandFailure.badInput("\(costs): \(text(of: error))")
            }
        }
        table.countsTransit = co2Model == .average
        return table
    }

    /// The answer with the options that keep to the limits, in the order of the preference.
    ///
    /// - Parameters:
    ///   - answer: the answer.
    ///   - table: the costs, in whose currency limits are.
    ///   - maxWet: the most minutes in the rain; nil for any.
    ///   - zone: the city's clocks.
    /// - Returns: the options that are left, and those missing with their reasons.
    /// - Throws: `CommandFailure` for an amount that is none, or if no option is left.
    func chosen(
        _ answer: TripAnswer,
        _ table: TripCosts,
        maxWet: Int64?,
        _ zone: ZoneTable
    ) throws -> TripAnswer {
        let value = try Self.amount(valueOfTime, "--value-of-time", table)
        guard answer.givenUp.isEmpty else {
            let limits = answer.givenUp.map(\.rawValue).joined(separator: ", ")
            Console.note("no trip keeps to all limits; without \(limits) there are these")
            var answer = answer
            if let prefer { answer.options = prefer.ordered(answer, valueOfHour: value) }
            return answer
        }
        let limits = try limits(table, maxWet: maxWet)
        let count = answer.options.count
        var answer = limits.applied(to: answer)
        let names = [
            maxMoney.map { _ in "--max-money" }, maxCo2.map { _ in "--max-co2" },
            maxWet.map { _ in "--max-wet" },
        ].compactMap(\.self)
        if answer.options.count < count {
            Console.note(
                "\(count - answer.options.count) of \(count) found trips exceed "
                    + "\(names.joined(separator: " or ")), or are not known to keep to "
                    + (names.count == 1 ? "it" : "them")
            )
        }
        guard !answer.options.isEmpty else {
            throw CommandFailure.noAnswer(
                "no found trip is known to keep to \(names.joined(separator: " and ")); "
                    + (maxWet != nil ? "others were not looked for; " : "")
                    + MissingText.sentence(answer.missing, in: zone)
            )
        }
        if let prefer { answer.options = prefer.ordered(answer, valueOfHour: value) }
        return answer
    }

    /// The limits on money, emissions and rain.
    func limits(_ table: TripCosts, maxWet: Int64?) throws -> TripLimits {
        TripLimits(
            minorUnits: try maxMoney.map { try Self.amount($0, "--max-money", table) },
            grams: maxCo2,
            wetMinutes: maxWet,
            modes: try modes.limits()
        )
    }

    static func amount(_ text: String, _ name: String, _ table: TripCosts) throws -> Int64 {
        guard let units = table.minorUnits(text) else {
            throw CommandFailure.badInput("\(name) \(text): write an amount, as 3.50")
        }
        return units
    }

    /// What may be given up, in that order.
    func relaxing() throws -> [TripConstraint] { try Self.relaxing(relax) }

    /// The limits in a list; none without one.
    static func relaxing(_ relax: String?) throws -> [TripConstraint] {
        guard let relax else { return [] }
        if relax == "all" { return TripConstraint.inOrder() }
        let names = relax.split(separator: ",").map { $0.trimmingWhiteSpace() }
        let constraints = names.map { TripConstraint(rawValue: $0) }
        guard let wrong = constraints.firstIndex(of: nil) else {
            return constraints.compactMap(\.self).reduce(into: []) { kept, constraint in
                if !kept.contains(constraint) { kept.append(constraint) }
            }
        }
        let known = TripConstraint.allCases.map(\.rawValue).joined(separator: ", ")
        throw CommandFailure.badInput("--relax \(names[wrong]): write some of \(known), or all")
    }

    /// The identifiers of the passes, which some feed of the cities must sell.
    func ownedPasses(in cities: [City]) throws -> [String] {
        try Self.ownedPasses(passes, in: cities)
    }

    /// The identifiers in a list, each of which some feed of the cities must sell.
    static func ownedPasses(_ passes: String?, in cities: [City]) throws -> [String] {
        let passes = (passes ?? "").split(separator: ",").map {
            $0.trimmingWhiteSpace()
        }
        let costings = cities.map { TripCosting($0) }
        let unknown = passes.filter { pass in
            costings.allSatisfy { !$0.unknownPasses([pass]).isEmpty }
        }
        guard unknown.isEmpty else {
            throw CommandFailure.badInput(
                "--passes \(unknown.joined(separator: ",")): no feed of the city sells a product "
                    + "with this identifier"
            )
        }
        return passes
    }

    private func text(of failure: TripCostsFailure) -> String {
        switch failure {
        case .missingColumn(let name): "line 1: the column \(name) is missing"
        case .badValue(let line, let field, let text):
            "line \(line): \(field): \"\(text)\" is not understood; see docs/answers.md"
        case .duplicate(let line, let key): "line \(line): key: \(key) was stated before"
        }
    }
}

extension TripPreference: ExpressibleByArgument {}
