import Encoding
import LiveFeeds
package import Localization
import OpenData
import TaxiPages
import TripPlanning
package import WebCore

/// The part of the planner's form about shared vehicles, hours of modes, and rain.
extension TravelPages {
    /// The modes of which hours can be excluded.
    package static let avoidable: [(value: String, label: Text)] = [
        ("", RulesTexts.avoidNothing), ("transit", PlanTexts.transit), ("metro", RulesTexts.metro),
        ("tram", RulesTexts.tram), ("bus", RulesTexts.bus), ("rail", RulesTexts.train),
        ("bike", PlanTexts.bicycle), ("bikeshare", RulesTexts.bikeshare),
        ("scooter", RulesTexts.scooter), ("car", PlanTexts.car),
        ("carshare", RulesTexts.carshare), ("taxi", PlanTexts.taxi),
    ]

    /// The means to choose from: shared vehicles only where a system has them.
    var offeredMeans: [OrderDraft.Travel.Means] {
        let systems = feeds.world.systems.map(\.system)
        func isShared(_ forms: SharingSystem.Form...) -> Bool {
            systems.contains { system in
                system.vehicleTypes.values.contains { forms.contains($0.form) }
            }
        }
        // Systems of the first versions have bicycles alone, and name no types.
        let hasBicycles =
            isShared(.bicycle, .cargoBicycle) || systems.contains { $0.vehicleTypes.isEmpty }
        return OrderDraft.Travel.Means.allCases.filter { means in
            switch means {
            case .bikeshare: hasBicycles
            case .scooter: isShared(.standingScooter, .seatedScooter)
            case .carshare: isShared(.car)
            case .transit, .walk, .bicycle, .car, .taxi: true
            }
        }
    }

    /// Whether a forecast is known, without which nothing can be said about rain.
    private var hasForecast: Bool { !feeds.world.forecasts.isEmpty }

    /// The fields for the hours of a mode and for rain.
    func ruleFields(_ sheet: PlanSheet) -> [Field] {
        let travel = sheet.travel
        var fields = Self.hourFields(
            Self.avoidable,
            mode: travel.avoided ?? "",
            from: travel.avoidedFrom ?? "",
            to: travel.avoidedTo ?? "",
            sheet.problems.fields
        )
        if hasForecast {
            fields += [
                Self.rainField(travel.avoidsRain == true),
                Field(
                    name: "wet",
                    label: RulesTexts.maxWet,
                    kind: .choice(PlanSheet.wets),
                    value: travel.wetMinutes.map { "\($0)" } ?? ""
                ),
            ]
        }
        for index in fields.indices { fields[index].hidesOptional = true }
        return fields
    }

    /// The fields for the hours in which a mode is not used: the mode, and from when until when.
    package static func hourFields(
        _ modes: [(value: String, label: Text)],
        mode: String,
        from: String,
        to: String,
        _ problems: [String: Text]
    ) -> [Field] {
        [
            Field(
                name: "avoid",
                label: RulesTexts.avoid,
                kind: .choice(modes),
                hint: RulesTexts.avoidHint,
                value: mode,
                error: problems["avoid"]
            ),
            Field(
                name: "avoid-from",
                label: RulesTexts.avoidFrom,
                kind: .time,
                value: from,
                error: problems["avoid-from"],
                isRequired: false
            ),
            Field(
                name: "avoid-to",
                label: RulesTexts.avoidTo,
                kind: .time,
                value: to,
                isRequired: false
            ),
        ]
    }

    /// The field for whether nobody cycles in the rain.
    package static func rainField(_ avoidsRain: Bool) -> Field {
        Field(
            name: "rain",
            label: RulesTexts.rain,
            kind: .several([("dry", RulesTexts.noWet)]),
            value: avoidsRain ? "dry" : "",
            isRequired: false
        )
    }

    /// The rules in the summary of the options.
    func ruleWords(_ travel: OrderDraft.Travel) -> [Text] {
        [
            travel.rule.map { RulesTexts.entry(Self.name(of: $0.mode), Self.words($0)) },
            travel.avoidsRain == true ? RulesTexts.noWet : nil,
            travel.wetMinutes.map { RulesTexts.tooWet($0) },
        ].compactMap(\.self)
    }

    /// Reads the fields about hours and rain.
    func readRules(
        _ context: RequestContext,
        _ travel: inout OrderDraft.Travel,
        _ problems: inout OrderProblems
    ) {
        func typed(_ name: String) -> String? {
            let text = String((context.form[name] ?? "").trimmingBlanks().prefix(5))
            return text.isEmpty ? nil : text
        }
        let avoided = context.form["avoid"] ?? ""
        travel.avoided = avoided.isEmpty ? nil : avoided
        travel.avoidedFrom = typed("avoid-from")
        travel.avoidedTo = typed("avoid-to")
        if travel.avoided != nil, travel.rule == nil {
            problems.fields["avoid-from"] = RulesTexts.badHours
        }
        travel.avoidsRain = context.form.all("rain").contains("dry")
        travel.wetMinutes = context.form["wet"].flatMap { Int64($0) }.flatMap { $0 < 0 ? nil : $0 }
    }
}

extension PlanSheet {
    /// The limits on the time in the rain to choose from, in minutes.
    static let wets: [(value: String, label: Text)] =
        [("", RulesTexts.anyWet)] + [0, 5, 10, 20, 30].map { ("\($0)", RulesTexts.minutes($0)) }
}

extension OrderDraft.Travel {
    /// The hours of the mode that is not used; nil if there is none, or they are malformed.
    var rule: ModeHours? {
        avoided.flatMap { ModeHours(mode: $0, from: avoidedFrom ?? "", to: avoidedTo ?? "") }
    }

    /// Fills the fields about hours and rain in with those of a question.
    mutating func setRules(of question: TripQuestion) {
        if let rule = question.avoided.first { set(rule) }
        avoidsRain = question.avoidsRain
        wetMinutes = question.maxWetMinutes
    }

    /// Fills the fields about hours in with those of a rule.
    mutating func set(_ rule: ModeHours) {
        avoided = rule.mode.name
        guard !rule.isWholeDay else { return }
        avoidedFrom = ModeHours.clock(rule.startMinute)
        // A field for a time has no 24:00.
        avoidedTo = ModeHours.clock(rule.endMinute % 1_440)
    }
}
