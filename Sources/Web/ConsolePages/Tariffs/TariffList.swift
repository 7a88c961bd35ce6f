import Chronology
import Fares
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension ConsolePages {
    /// The tariffs as cards, and the files so far.
    func showTariffs(_ context: RequestContext) async throws -> Response {
        let adopted = try await taxi.adoptedTariffs(limit: 50)
        let change = Button(
            TariffTexts.change,
            .link(Address("/console/tariffs/change")),
            look: .primary,
            icon: .edit
        )
        let file = Button(
            TariffTexts.download,
            .link(Address("/console/tariffs/file")),
            icon: .download
        )
        let example = Button(
            TariffTexts.example,
            .link(Address("/console/tariffs/example")),
            look: .plain,
            icon: .download
        )
        let history = await tariffHistory(adopted, context)
        var page = Page(
            TariffTexts.title,
            body: """
                \(tariffNotice(context))
                <h1>\(context.say(TariffTexts.title))</h1>
                <p class="lead">\(context.say(TariffTexts.lead))</p>
                \(tariffCards(taxi.tariffs, context))
                <p class="actions">\
                \(HTML.when(context.isOfAdministration, change.html(context))) \
                \(HTML.when(!adopted.isEmpty, file.html(context))) \(example.html(context))</p>
                \(history)
                """
        )
        page.hasForm = true
        return response(page, to: context)
    }

    private func tariffNotice(_ context: RequestContext) -> HTML? {
        guard context.query["notice"] == "adopted" else { return nil }
        return Notice(.success, isAnnounced: true, "\(context.say(TariffTexts.adopted))")
            .html(context)
    }

    /// A card for each tariff, that of today first, then those to come and the past ones.
    func tariffCards(_ book: TariffBook, _ context: RequestContext) -> HTML {
        guard !book.tariffs.isEmpty else {
            return EmptyState(.coin, TariffTexts.noneTitle, TariffTexts.none).html(context)
        }
        let today = cityDay(context.now)
        let inForce = book.tariff(on: today)
        let later = book.tariffs.filter { $0.validFrom > today }
        let past = book.tariffs.filter { $0.validFrom <= today && $0 != inForce }.reversed()
        let cards = ([inForce].compactMap(\.self) + later + past).map { tariff in
            tariffCard(
                tariff,
                isInForce: tariff == inForce,
                until: book.lastDay(of: tariff),
                isLater: tariff.validFrom > today,
                context
            )
        }
        return Card.grid(cards)
    }

    /// Rates per kilometre and hour count in ten-thousandths of a minor unit.
    private static let rateUnit: Int64 = 10_000

    private func tariffCard(
        _ tariff: Tariff,
        isInForce: Bool,
        until last: CivilDate?,
        isLater: Bool,
        _ context: RequestContext
    ) -> Card {
        let state =
            isInForce
            ? StateChip(TariffTexts.inForce, icon: .check, tone: .good)
            : isLater
                ? StateChip(TariffTexts.later, icon: .calendar, tone: .live)
                : StateChip(TariffTexts.past, icon: .history, tone: .quiet)
        func amount(_ minorUnits: Int64) -> String {
            money(Money(minorUnits, tariff.currency), context)
        }
        let example = exampleFare(tariff, context)
        let fare = HeroNumber("\(example)", label: "\(context.say(TariffTexts.exampleFare))")
        // A screen has one large figure: the fare of today.
        let facts: [(Text, String)] =
            (isInForce ? [] : [(TariffTexts.exampleFare, example)]) + [
                (TariffTexts.day, amount(tariff.initial.day)),
                (TariffTexts.night, amount(tariff.initial.night)),
                (TariffTexts.perKilometre, amount(tariff.perKilometre / Self.rateUnit)),
                (TariffTexts.perHour, amount(tariff.perHour / Self.rateUnit)),
                (TariffTexts.least, amount(tariff.minimum)),
            ]
        let lines = facts.map { label, value -> HTML in
            "<div><dt>\(context.say(label))</dt><dd>\(value)</dd></div>"
        }
        let first = shortDay(tariff.validFrom, hasYear: true, context)
        let valid =
            last.map { TariffTexts.between(first, shortDay($0, hasYear: true, context)) }
            ?? TariffTexts.since(first)
        return Card(
            "\(tariff.name)",
            content: """
                <p>\(state.html(context)) <span class="hint">\(context.say(valid))</span></p>
                \(HTML.when(isInForce, fare.html))
                <dl class="amounts">\(lines)</dl>
                """
        )
    }

    /// What 5 km in a quarter of an hour cost in the morning of the tariff's first weekday that is
    /// no holiday.
    private func exampleFare(_ tariff: Tariff, _ context: RequestContext) -> String {
        let days = (0..<14).map { tariff.validFrom.adding(days: $0) }
        let day = days.first { $0.weekday < 5 && !tariff.holidays.contains($0) }
        let zone = web.settings.zoneTable
        let input = TariffInput(
            start: zone.instant(day ?? tariff.validFrom, second: 36_000),
            drive: Drive(milliseconds: 900_000, decimetres: 50_000)
        )
        return money(tariff.metered(input, in: zone).total, context)
    }

    private func tariffHistory(_ adopted: [AdoptedTariffs], _ context: RequestContext) async -> HTML
    {
        guard !adopted.isEmpty else { return .empty }
        var rows: [[HTML]] = []
        for file in adopted {
            let author = await nameOfAuthor(file.author, context)
            let number = "\(file.number)"
            let address = Address("/console/tariffs/file", query: ["number": number])
            rows.append([
                "\(number)", time(file.moment, context), "\(author)", "\(file.note)",
                """
                <a href=\(address)>\(context.say(TariffTexts.downloadOne))\
                <span class="hidden"> \(number)</span></a>
                """,
            ])
        }
        let heads = [
            TariffTexts.number, TariffTexts.moment, TariffTexts.author, TariffTexts.note,
            TariffTexts.file,
        ]
        return DataTable(
            caption: TariffTexts.history,
            heads.map { DataTable.Column($0) },
            rows: rows
        )
        .html(context)
    }

    /// The display name of the person who adopted something.
    func nameOfAuthor(_ number: Int64?, _ context: RequestContext) async -> String {
        guard let number else { return context.say(TariffTexts.nobody) }
        let profile = try? await accounts.profile(of: PersonNumber(rawValue: number))
        // People who deleted their account are no longer named.
        return profile.map { "\($0.name) \($0.surname)" } ?? context.say(TariffTexts.gone)
    }
}
