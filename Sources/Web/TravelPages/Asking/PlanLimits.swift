import Encoding
package import Fares
package import Localization
import OpenData
import TaxiPages
package import TripPlanning
package import WebCore

/// A limit on a single means as people type it (V75): the means, a number and its unit.
package struct ModeLimitInput {
    /// The means, as ``ModeLimit`` names it; empty for none.
    package var mode: String
    /// The number as typed.
    package var most: String
    /// The unit: `km`, `min` or `money`.
    package var unit: String

    /// Nothing is typed.
    package init() { (mode, most, unit) = ("", "", "km") }

    /// Takes the fields `limit-mode`, `limit-most` and `limit-unit` of a form.
    package init(_ form: Form) {
        mode = form["limit-mode"] ?? ""
        most = String((form["limit-most"] ?? "").trimmingBlanks().prefix(10))
        unit = form["limit-unit"] ?? "km"
    }

    /// The longest text of a limit, in bytes.
    package static let textLimit = 40

    /// The means that may be limited.
    private static let modes: [(value: String, label: Text)] =
        [("", LimitsTexts.none)]
        + ModeLimit.kinds.map { ($0.modeName, TravelPages.name(of: .kind($0))) }

    private static let units: [(value: String, label: Text)] = [
        ("km", LimitsTexts.kilometres), ("min", LimitsTexts.minutesUnit),
        ("money", LimitsTexts.money),
    ]

    /// The fields of the form.
    package static let inputs: [InputField] = [
        .set("limit-mode", .choice(modes.map(\.value)), "A means."),
        .typed("limit-most", .text(10), "How much of a trip it may make."),
        .set("limit-unit", .choice(units.map(\.value)), "The unit of that."),
    ]

    /// The limit; nil if none is typed, or it is wrong, which is noted.
    package func limit(in currency: Currency, _ problems: inout [String: Text]) -> ModeLimit? {
        guard !mode.isEmpty else {
            if !most.isEmpty { problems["limit-mode"] = LimitsTexts.noMode }
            return nil
        }
        guard case .kind(let kind) = TripMode(named: mode) else { return nil }
        if unit == "money", !ModeLimit.pricedKinds.contains(kind) {
            problems["limit-unit"] = LimitsTexts.noMoney
            return nil
        }
        let number = most.replacing(",", with: ".")
        let amount = ModeLimit.Most(number, unit: unit == "money" ? currency.code : unit)
        guard let limit = amount.flatMap({ ModeLimit(kind, $0) }) else {
            problems["limit-most"] = LimitsTexts.badMost
            return nil
        }
        return limit
    }

    /// The fields with what is typed in them.
    ///
    /// - Parameters:
    ///   - problems: what is wrong, by the name of the field.
    ///   - none: what the choice of a means says while none is chosen.
    /// - Returns: the means, how much of it, and the unit.
    package func fields(
        _ problems: [String: Text],
        none: Text = LimitsTexts.none
    ) -> [Field] {
        var fields = [
            Field(
                name: "limit-mode",
                label: LimitsTexts.mode,
                kind: .choice([("", none)] + Self.modes.dropFirst()),
                hint: LimitsTexts.hint,
                value: mode,
                error: problems["limit-mode"]
            ),
            Field(
                name: "limit-most",
                label: LimitsTexts.most,
                value: most,
                error: problems["limit-most"],
                isRequired: false
            ),
            Field(
                name: "limit-unit",
                label: LimitsTexts.unit,
                kind: .choice(Self.units),
                value: unit,
                error: problems["limit-unit"]
            ),
        ]
        for index in fields.indices { fields[index].hidesOptional = true }
        return fields
    }
}

/// The part of the planner's form about limits on single means.
extension TravelPages {
    static let modeLimitFields: [InputField] =
        [
            .typed(
                "limits",
                .several(.text(ModeLimitInput.textLimit), ModeLimit.countLimit),
                "The limits on single means that stay."
            )
        ] + ModeLimitInput.inputs

    /// The fields: those that are in force, and one more.
    func limitFields(_ sheet: PlanSheet) -> [Field] {
        var input = ModeLimitInput()
        input.mode = sheet.typed["limit-mode"] ?? ""
        input.most = sheet.typed["limit-most"] ?? ""
        input.unit = sheet.typed["limit-unit"] ?? "km"
        let known = sheet.travel.limits
        var kept = Field(
            name: "limits",
            label: LimitsTexts.title,
            kind: .several(known.map { ($0.text, Self.words($0)) }),
            value: known.map(\.text).joined(separator: ","),
            isRequired: false
        )
        kept.hidesOptional = true
        return (known.isEmpty ? [] : [kept])
            + input.fields(sheet.problems.fields)
    }

    /// Reads the limits on single means.
    func readLimits(
        _ context: RequestContext,
        _ travel: inout OrderDraft.Travel,
        _ problems: inout OrderProblems
    ) {
        var limits = context.form.all("limits").compactMap { ModeLimit($0) }
        let input = ModeLimitInput(context.form)
        if let limit = input.limit(in: limitCurrency(context), &problems.fields),
            !limits.contains(limit)
        {
            limits.append(limit)
        }
        travel.modeLimits = limits.prefix(ModeLimit.countLimit).map(\.text)
    }

    /// A limit with its means.
    package static func words(_ limit: ModeLimit) -> Text {
        LimitsTexts.limit(name(of: .kind(limit.kind)), words(limit.most))
    }

    /// How much a limit allows.
    static func words(_ most: ModeLimit.Most) -> Text {
        switch most {
        case .metres(let metres): return CommonTexts.distance(metres)
        case .minutes(let minutes): return RulesTexts.minutes(minutes)
        case .money(let amount, let code):
            let digits = code.flatMap(CurrencyText.digits) ?? 2
            let currency = Currency(code: code ?? "EUR", digits: digits) ?? .euro
            return LimitsTexts.amount(Amount(Money(amount, currency)))
        }
    }
}

extension OrderDraft.Travel {
    /// The limits on single means.
    var limits: [ModeLimit] { (modeLimits ?? []).compactMap { ModeLimit($0) } }
}
