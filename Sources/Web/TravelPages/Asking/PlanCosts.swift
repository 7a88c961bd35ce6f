import Agenda
import Chronology
import Encoding
package import Fares
import Identity
package import Localization
import TaxiPages
package import TripPlanning
package import WebCore

/// The part of the planner's form about money, emissions, passes and who travels (V68, V74, V80).
extension TravelPages {
    /// The most products that a form lists; the others are entered by their identifiers.
    private static let mostListed = 8

    /// The settings of the person who asks; nil for guests.
    private func settings(_ context: RequestContext) async throws -> TravelSettings? {
        guard let person = context.session?.person else { return nil }
        return try await agenda.settings(of: person)
    }

    /// Fills in what the form begins with: the person's travel settings (V11).
    func setUsualTravel(of draft: inout OrderDraft, _ context: RequestContext) async throws {
        guard draft.travel == nil else { return }
        var travel = OrderDraft.Travel()
        defer { draft.travel = travel }
        guard let settings = try await settings(context) else { return }
        draft.hasWheelchair = draft.hasWheelchair || settings.usesWheelchair
        if settings.statesMeans {
            // Without any shared vehicle among them, the settings are silent about these.
            let isSilent = settings.means.isDisjoint(with: TravelMeans.shared)
            travel.means = travel.means.filter { means in
                guard let means = TravelMeans(rawValue: means.rawValue) else { return true }
                return settings.means.contains(means)
                    || isSilent && TravelMeans.shared.contains(means)
            }
        }
        travel.walkMetres = settings.walkMetres.flatMap { UInt32(exactly: $0) }
        travel.party = settings.party == 1 ? nil : Int(settings.party)
        travel.preference = settings.aim?.rawValue
        travel.grams = settings.mostGrams
        if let limit = settings.mostMoney, limit.currency == limitCurrency(context).code {
            travel.moneyUnits = limit.minorUnits
        }
        travel.passes = Self.owned(settings, on: cityDay(context.now))
        travel.relaxed = settings.relaxed
        if !settings.modeLimits.isEmpty { travel.modeLimits = settings.modeLimits }
        if settings.avoidsRain { travel.avoidsRain = true }
        if let rule = settings.avoidedHours.lazy.compactMap({ ModeHours($0) }).first {
            travel.set(rule)
        }
    }

    /// The contents of the form, with the passes that the person owns.
    func sheet(
        _ draft: OrderDraft,
        _ known: KnownPlaces,
        _ problems: OrderProblems,
        _ context: RequestContext
    ) async throws -> PlanSheet {
        var sheet = PlanSheet(draft, known, problems)
        sheet.owned = Self.owned(try await settings(context), on: cityDay(context.now))
        return sheet
    }

    private static func owned(
        _ settings: TravelSettings?,
        on day: CivilDate
    ) -> [OrderDraft.Travel.Pass] {
        (settings?.passes ?? []).filter { $0.isValid(on: day) }
            .map { OrderDraft.Travel.Pass($0.product, lastDay: $0.lastDay) }
    }

    /// The currency in which people state limits: that of the tickets, otherwise that of fuel.
    package func limitCurrency(_ context: RequestContext) -> Currency {
        context.cities.products.limitCurrency
    }

    /// A ticket or pass with its price.
    package func label(
        _ product: FareProducts.Product,
        _ context: RequestContext
    ) -> Text {
        guard let price = product.price else { return Text(same: product.name) }
        return CostsTexts.product(product.name, money(price, context))
    }

    /// Why an identifier is not known, with some that are.
    package func unknownPass(_ typed: String, _ context: RequestContext) -> Text {
        let ids = context.cities.products.all.map(\.id)
        let some = ids.prefix(Self.mostListed).joined(separator: ", ")
        let more = ids.count - Self.mostListed
        return more > 0
            ? CostsTexts.unknownPassOfMany(typed, some, Int64(more))
            : CostsTexts.unknownPass(typed, some)
    }

    // MARK: The fields

    /// The fields for what counts most, who travels, and the limits.
    func costFields(_ sheet: PlanSheet, _ context: RequestContext) -> [Field] {
        let travel = sheet.travel
        let errors = sheet.problems.fields
        let currency = limitCurrency(context)
        var fields = [
            Field(
                name: "prefer",
                label: CostsTexts.aim,
                kind: .choice(PlanSheet.aims),
                value: travel.preference ?? ""
            ),
            Field(
                name: "party",
                label: CostsTexts.party,
                kind: .number,
                value: sheet.typed["party"] ?? "\(travel.party ?? 1)",
                error: errors["party"]
            ),
        ]
        fields += passFields(sheet, context)
        fields += [
            Field(
                name: "money",
                label: CostsTexts.money(currency.code),
                hint: CostsTexts.moneyHint,
                value: sheet.typed["money"]
                    ?? travel.moneyUnits.map { LimitInput.text(of: Money($0, currency)) } ?? "",
                error: errors["money"],
                isRequired: false
            ),
            Field(
                name: "grams",
                label: CostsTexts.grams,
                kind: .number,
                value: sheet.typed["grams"] ?? travel.grams.map { "\($0)" } ?? "",
                error: errors["grams"],
                isRequired: false
            ),
            Self.relaxField(travel.relaxed ?? ""),
        ]
        for index in fields.indices { fields[index].hidesOptional = true }
        return fields
    }

    /// The fields for passes; none where no feed sells any.
    private func passFields(_ sheet: PlanSheet, _ context: RequestContext) -> [Field] {
        let products = context.cities.products
        guard !products.all.isEmpty else { return [] }
        let chosen = (sheet.travel.passes ?? []).map(\.id)
        var listed: [FareProducts.Product] = []
        let first = (chosen + sheet.owned.map(\.id)).compactMap(products.product)
        for product in first + products.all where !listed.contains(product) {
            if listed.count < Self.mostListed || first.contains(product) { listed.append(product) }
        }
        return [
            Field(
                name: "passes",
                label: CostsTexts.passes,
                kind: .several(listed.map { ($0.id, label($0, context)) }),
                value: chosen.joined(separator: ","),
                error: sheet.problems.fields["passes"],
                isRequired: false
            ),
            Field(
                name: "pass-code",
                label: CostsTexts.code,
                hint: CostsTexts.codeHint,
                value: sheet.typed["pass-code"] ?? "",
                error: sheet.problems.fields["pass-code"],
                isRequired: false
            ),
        ]
    }

    /// What the summary of the options says about them.
    func costWords(_ travel: OrderDraft.Travel, _ context: RequestContext) -> [Text] {
        let count = travel.passes?.count ?? 0
        let currency = limitCurrency(context)
        return [
            travel.preference.flatMap(TripPreference.init(rawValue:)).map(\.text),
            travel.party.map { CostsTexts.people(Int64($0)) },
            count > 0 ? CostsTexts.withPasses(Int64(count)) : nil,
            travel.moneyUnits.map { CostsTexts.atMost(money(Money($0, currency), context)) },
            travel.grams.map { CostsTexts.atMostGrams($0) },
        ].compactMap(\.self) + travel.limits.map { Self.words($0) }
    }

    /// What an answer counted, in words; nil if that was nothing.
    ///
    /// - Parameters:
    ///   - question: what was asked.
    ///   - leavesOut: whether trips over the limits are left out.
    ///   - context: the request.
    /// - Returns: the words.
    func costNote(
        _ question: TripQuestion,
        leavesOut: Bool,
        _ context: RequestContext
    ) -> String? {
        let names = question.passes.compactMap(context.cities.products.product).map(\.name)
        let isLimited = question.limits != TripLimits(currencyCode: question.limits.currencyCode)
        let notes = [
            question.preference?.text,
            question.party > 1 ? CostsTexts.noteParty(Int64(question.party)) : nil,
            names.isEmpty ? nil : CostsTexts.notePasses(names.joined(separator: ", ")),
            isLimited && leavesOut ? CostsTexts.noteLimits : nil,
        ].compactMap(\.self).map(context.say)
        guard !notes.isEmpty else { return nil }
        return notes.map { $0.hasSuffix(".") ? $0 : $0 + "." }.joined(separator: " ")
    }

    // MARK: Reading

    /// Reads the fields about money, emissions, passes and who travels.
    func readCosts(
        _ context: RequestContext,
        owned: [OrderDraft.Travel.Pass],
        _ travel: inout OrderDraft.Travel,
        _ problems: inout OrderProblems
    ) {
        travel.preference = TripPreference(rawValue: context.form["prefer"] ?? "")?.rawValue
        let party = Int((context.form["party"] ?? "1").trimmingBlanks())
        if let party, TripCosting.partyLimits.contains(party) {
            travel.party = party == 1 ? nil : party
        } else {
            problems.fields["party"] = CostsTexts.badParty(
                Int64(TripCosting.partyLimits.upperBound)
            )
        }
        let limits = LimitInput(context.form)
        travel.moneyUnits = limits.money(in: limitCurrency(context), &problems.fields)
        travel.grams = limits.grams(&problems.fields)
        travel.relaxed = Self.relaxChoice(context.form)
        readPasses(context, owned: owned, &travel, &problems)
    }

    /// What a form says is to be given up first; nil for the usual order.
    package static func relaxChoice(_ form: Form) -> String? {
        TripConstraint.choice(of: TripConstraint.order(of: form["relax"]))
    }

    private func readPasses(
        _ context: RequestContext,
        owned: [OrderDraft.Travel.Pass],
        _ travel: inout OrderDraft.Travel,
        _ problems: inout OrderProblems
    ) {
        let products = context.cities.products
        var ids = context.form.all("passes").filter { products.product($0)?.id == $0 }
        let typed = (context.form["pass-code"] ?? "").trimmingBlanks()
        if !typed.isEmpty {
            if let product = products.product(typed) {
                if !ids.contains(product.id) { ids.append(product.id) }
            } else {
                problems.fields["pass-code"] = unknownPass(String(typed.prefix(64)), context)
            }
        }
        let most = FareProducts.ownedLimit
        if ids.count > most { problems.fields["passes"] = CostsTexts.tooManyPasses(Int64(most)) }
        travel.passes = ids.prefix(most).map { id in
            owned.first { $0.id == id } ?? OrderDraft.Travel.Pass(id)
        }
    }

    /// Adds to a question what the draft says about money, emissions, passes and who travels.
    func setCosts(
        of question: inout TripQuestion,
        _ travel: OrderDraft.Travel,
        _ context: RequestContext
    ) {
        question.party = travel.party ?? 1
        question.preference = travel.preference.flatMap(TripPreference.init(rawValue:))
        let day = LocalTime(question.time, in: web.settings.zoneTable).date.daysSince1970
        // A pass that has expired by then does not count.
        question.passes = (travel.passes ?? []).filter { day <= $0.lastDay ?? .max }.map(\.id)
        question.limits.minorUnits = travel.moneyUnits
        question.limits.currencyCode =
            travel.moneyUnits == nil ? nil : limitCurrency(context).code
        question.limits.grams = travel.grams
        question.limits.modes = travel.limits
        question.relaxing = TripConstraint.order(of: travel.relaxed)
    }
}

extension PlanSheet {
    /// What people may care about most.
    static let aims: [(value: String, label: Text)] =
        [("", CostsTexts.anyAim)] + TripPreference.allCases.map { ($0.rawValue, $0.text) }
}

extension OrderDraft.Travel {
    /// Fills in what a question says about money, emissions, passes and who travels.
    mutating func setCosts(of question: TripQuestion) {
        party = question.party == 1 ? nil : question.party
        preference = question.preference?.rawValue
        passes = question.passes.map { Pass($0) }
        moneyUnits = question.limits.minorUnits
        grams = question.limits.grams
        modeLimits = question.limits.modes.map(\.text)
        relaxed = TripConstraint.choice(of: question.relaxing)
    }
}

extension TripPreference {
    /// The name in forms.
    package var text: Text {
        switch self {
        case .quick: CostsTexts.quick
        case .cheap: CostsTexts.cheap
        case .green: CostsTexts.green
        case .balanced: CostsTexts.balanced
        }
    }
}
