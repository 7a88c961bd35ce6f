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
    /// The pages about the city's tariffs (taxi.md 1.12).
    var tariffRoutes: [Route] {
        [
            .get("/console/tariffs", for: .staff, showTariffs),
            .get("/console/tariffs/file", for: .staff, downloadTariffs),
            .get("/console/tariffs/example", for: .staff) { _ in
                .download(
                    Array(TariffBook.example.utf8),
                    type: "text/plain; charset=utf-8",
                    name: "tariff-example.txt"
                )
            },
            .get("/console/tariffs/change", for: .graveAdministrator, changeTariffs),
            .post(
                "/console/tariffs/change",
                for: .graveAdministrator,
                bodyLimit: TaxiService.tariffFileLimit * 2,
                checkTariffs
            )
            .repeated(because: "it shows what would happen, and changes nothing"),
            .post(
                "/console/tariffs/adopt",
                for: .graveAdministrator,
                bodyLimit: TaxiService.tariffFileLimit * 2,
                adoptTariffs
            ),
        ]
    }

    // MARK: Viewing tariffs

    private func showTariffs(_ visit: Visit) async throws -> Reply {
        let adopted = try await taxi.adoptedTariffs(limit: 50)
        let mayChange = visit.isOfAdministration
        let change: HTML = """
            <p class="actions"><a class="button primary" href="/console/tariffs/change">\
            \(visit.say(TariffTexts.change))</a></p>
            """
        let files: HTML = """
            <ul>
            \(HTML.when(!adopted.isEmpty, fileLink(visit)))
            <li><a href="/console/tariffs/example">\(visit.say(TariffTexts.example))</a></li>
            </ul>
            """
        let history = await tariffHistory(adopted, visit)
        var page = Page(
            TariffTexts.title,
            body: """
                \(tariffNotice(visit))
                <h1>\(visit.say(TariffTexts.title))</h1>
                <p class="lead">\(visit.say(TariffTexts.lead))</p>
                \(tariffTable(taxi.tariffs, visit))
                \(HTML.when(mayChange, change))
                \(files)
                \(history)
                """
        )
        page.hasForm = true
        return reply(page, to: visit)
    }

    private func fileLink(_ visit: Visit) -> HTML {
        "<li><a href=\"/console/tariffs/file\">\(visit.say(TariffTexts.download))</a></li>"
    }

    private func tariffNotice(_ visit: Visit) -> HTML? {
        guard visit.query["notice"] == "adopted" else { return nil }
        return """
            <div class="notice good" role="status"><p>\(visit.say(TariffTexts.adopted))</p></div>
            """
    }

    /// A table of all tariffs, which marks the one in force today.
    private func tariffTable(_ book: TariffBook, _ visit: Visit) -> HTML {
        guard !book.tariffs.isEmpty else { return "<p>\(visit.say(TariffTexts.none))</p>" }
        let today = cityDay(visit.now)
        let inForce = book.tariff(on: today)
        let rows = book.tariffs.map { tariff -> HTML in
            let state: Text =
                tariff == inForce
                ? TariffTexts.inForce
                : tariff.validFrom > today ? TariffTexts.later : TariffTexts.past
            return """
                <tr><th scope="row">\(tariff.validFrom.iso8601)</th><td>\(tariff.name)</td>\
                <td class="number">\(amount(tariff.initial.day, tariff, visit))</td>\
                <td class="number">\(amount(tariff.initial.night, tariff, visit))</td>\
                <td class="number">\(amount(tariff.minimum, tariff, visit))</td>\
                <td>\(visit.say(state))</td></tr>
                """
        }
        let heads = [
            TariffTexts.validFrom, TariffTexts.name, TariffTexts.day, TariffTexts.night,
            TariffTexts.least, TariffTexts.state,
        ]
        return ConsoleTable(caption: TariffTexts.tariffs, heads: heads, rows: rows).html(visit)
    }

    private func amount(_ minorUnits: Int64, _ tariff: Tariff, _ visit: Visit) -> String {
        money(Money(minorUnits, tariff.currency), visit)
    }

    private func tariffHistory(_ adopted: [AdoptedTariffs], _ visit: Visit) async -> HTML {
        guard !adopted.isEmpty else { return .empty }
        var rows: [HTML] = []
        for file in adopted {
            let author = await nameOfAuthor(file.author, visit)
            let number = "\(file.number)"
            let address = Address("/console/tariffs/file", query: ["number": number])
            rows.append(
                """
                <tr><th scope="row">\(number)</th><td>\(time(file.moment, visit))</td>\
                <td>\(author)</td><td>\(file.note)</td>\
                <td><a href=\(address)>\(visit.say(TariffTexts.downloadOne))\
                <span class="hidden"> \(number)</span></a></td></tr>
                """
            )
        }
        let heads = [
            TariffTexts.number, TariffTexts.moment, TariffTexts.author, TariffTexts.note,
            TariffTexts.file,
        ]
        return ConsoleTable(caption: TariffTexts.history, heads: heads, rows: rows).html(visit)
    }

    /// The display name of the person who adopted something.
    func nameOfAuthor(_ number: Int64?, _ visit: Visit) async -> String {
        guard let number else { return visit.say(TariffTexts.nobody) }
        let profile = try? await accounts.profile(of: PersonNumber(rawValue: number))
        // People who deleted their account are no longer named.
        return profile.map { "\($0.name) \($0.surname)" } ?? visit.say(TariffTexts.gone)
    }

    private func downloadTariffs(_ visit: Visit) async throws -> Reply {
        let adopted = try await taxi.adoptedTariffs(limit: 1_000)
        let number = visit.query["number"].flatMap { Int64($0) }
        let file = number == nil ? adopted.first : adopted.first { $0.number == number }
        guard let file else { throw Failure.notFound }
        return .download(
            Array(file.text.utf8),
            type: "text/plain; charset=utf-8",
            name: "tariff.txt"
        )
    }

    // MARK: Changing tariffs

    private func changeTariffs(_ visit: Visit) async throws -> Reply {
        let text = try await taxi.adoptedTariffs(limit: 1).first?.text ?? ""
        return reply(tariffForm(text, nil, visit), to: visit)
    }

    private func tariffForm(_ text: String, _ error: Text?, _ visit: Visit) -> Page {
        var form = FormPage(
            action: Address("/console/tariffs/change"),
            fields: [
                Field(
                    name: "tariff",
                    label: TariffTexts.text,
                    kind: .longText,
                    hint: TariffTexts.textHint,
                    value: text,
                    error: error,
                    isRequired: false
                ),
                Field(
                    name: "file",
                    label: TariffTexts.upload,
                    kind: .file(accept: ".txt,.yaml,.yml,text/plain"),
                    hint: TariffTexts.uploadHint,
                    isRequired: false
                ),
            ],
            button: TariffTexts.check,
            busy: CommonTexts.busy
        )
        form.hasFiles = true
        return formPage(TariffTexts.change, lead: TariffTexts.changeLead, form, visit)
    }

    /// Parses the submitted tariffs and previews them.
    private func checkTariffs(_ visit: Visit) async throws -> Reply {
        var text = visit.form["tariff"] ?? ""
        if let file = visit.form.file("file"), !file.bytes.isEmpty {
            guard let content = String(validating: file.bytes, as: UTF8.self) else {
                return wrongTariffs(text, TariffTexts.notText, visit)
            }
            text = content
        }
        switch readTariffs(text) {
        case .failure(let fault): return wrongTariffs(text, fault.words, visit)
        case .success(let book): return reply(tariffConfirmation(text, book, nil, visit), to: visit)
        }
    }

    /// Parses a tariff file, or returns the error in it.
    private func readTariffs(_ text: String) -> Result<TariffBook, TariffFault> {
        guard text.utf8.count <= TaxiService.tariffFileLimit, !text.contains("\0") else {
            return .failure(TariffFault(words: TariffTexts.tooLong))
        }
        do {
            return .success(try TariffBook(text: text))
        } catch {
            return .failure(TariffFault(words: error.words))
        }
    }

    private func wrongTariffs(_ text: String, _ error: Text, _ visit: Visit) -> Reply {
        var page = tariffForm(text, error, visit)
        page.status = .unprocessableContent
        return reply(page, to: visit)
    }

    private func tariffConfirmation(
        _ text: String,
        _ book: TariffBook,
        _ problem: Text?,
        _ visit: Visit
    ) -> Page {
        var form = FormPage(
            action: Address("/console/tariffs/adopt"),
            fields: [.note(visit)],
            button: TariffTexts.adopt,
            busy: CommonTexts.busy
        )
        form.problem = problem
        form.extra = "<input type=\"hidden\" name=\"tariff\" value=\"\(text)\">"
        var page = Page(
            TariffTexts.confirm,
            body: """
                <h1>\(visit.say(TariffTexts.confirm))</h1>
                <p class="lead">\(visit.say(TariffTexts.confirmLead))</p>
                \(tariffTable(book, visit))
                \(form.html(visit))
                <p><a href="/console/tariffs/change">\(visit.say(TariffTexts.back))</a></p>
                """
        )
        page.hasForm = true
        return page
    }

    private func adoptTariffs(_ visit: Visit) async throws -> Reply {
        guard let session = visit.session, let person = session.person else {
            throw Failure.notSignedIn
        }
        let text = visit.form["tariff"] ?? ""
        let book: TariffBook
        switch readTariffs(text) {
        case .failure(let fault): return wrongTariffs(text, fault.words, visit)
        case .success(let read): book = read
        }
        guard await isBackedUp(before: "change tariffs", visit) else {
            var page = tariffConfirmation(text, book, SetUpTexts.noBackup, visit)
            page.status = .conflict
            return reply(page, to: visit)
        }
        let act = try accounts.noting(
            .changeTariffs,
            object: book.tariffs.map(\.validFrom.iso8601).joined(separator: " "),
            by: session,
            at: visit.now
        )
        try await taxi.adoptTariffs(text, by: person.rawValue, note: visit.note, with: [act])
        await settleActs(visit)
        return .redirect(to: Address("/console/tariffs", query: ["notice": "adopted"]))
    }
}

/// An error message about a tariff file.
private struct TariffFault: Error {
    let words: Text
}

extension Field {
    /// The field for the reason of a change.
    static func note(_ visit: Visit) -> Field {
        Field(
            name: "note",
            label: TariffTexts.note,
            hint: TariffTexts.noteHint,
            value: visit.form["note"] ?? "",
            isRequired: false
        )
    }
}

extension Visit {
    /// The reason for a change: one line of at most 200 characters.
    var note: String {
        String((form["note"] ?? "").asOneLine.prefix(200))
    }
}
