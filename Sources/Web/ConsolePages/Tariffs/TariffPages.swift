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
            .get("/console/tariffs", as: "tariffs.show", for: .staff, showTariffs)
                .taking([.notice]),
            .get("/console/tariffs/file", as: "tariffs.file", for: .staff, downloadTariffs)
                .taking([
                    .query(
                        "number",
                        .identifier,
                        "The number of earlier tariffs; without it, those in force."
                    )
                ])
                .answering(.file("text/plain"))
                .failing(.notFound),
            .get("/console/tariffs/example", as: "tariffs.example", for: .staff) { _ in
                .download(
                    Array(TariffBook.example.utf8),
                    type: "text/plain; charset=utf-8",
                    name: "tariff-example.txt"
                )
            }
            .answering(.file("text/plain")),
            .get(
                "/console/tariffs/change",
                as: "tariffs.change",
                for: .graveAdministrator,
                changeTariffs
            ),
            .post(
                "/console/tariffs/change",
                as: "tariffs.check",
                for: .graveAdministrator,
                bodyLimit: TaxiService.tariffFileLimit * 2,
                checkTariffs
            )
            .taking([
                .typed("tariff", .opaque(TaxiService.tariffFileLimit), "The tariffs as text."),
                .typed("file", .file(nil), "The tariffs as a file."),
            ])
            .repeated(because: "it shows what would happen, and changes nothing"),
            .post(
                "/console/tariffs/adopt",
                as: "tariffs.adopt",
                for: .graveAdministrator,
                bodyLimit: TaxiService.tariffFileLimit * 2,
                adoptTariffs
            )
            .taking([
                .typed("tariff", .opaque(TaxiService.tariffFileLimit), "The tariffs as text."),
                .note,
            ]),
        ]
    }

    private func downloadTariffs(_ context: RequestContext) async throws -> Response {
        let adopted = try await taxi.adoptedTariffs(limit: 1_000)
        let number = context.query["number"].flatMap { Int64($0) }
        let file = number == nil ? adopted.first : adopted.first { $0.number == number }
        guard let file else { throw Failure.notFound }
        return .download(
            Array(file.text.utf8),
            type: "text/plain; charset=utf-8",
            name: "tariff.txt"
        )
    }

    // MARK: Changing tariffs

    private func changeTariffs(_ context: RequestContext) async throws -> Response {
        let text = try await taxi.adoptedTariffs(limit: 1).first?.text ?? ""
        return response(tariffForm(text, nil, context), to: context)
    }

    private func tariffForm(_ text: String, _ error: Text?, _ context: RequestContext) -> Page {
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
        return formPage(TariffTexts.change, lead: TariffTexts.changeLead, form, context)
    }

    /// Parses the submitted tariffs and previews them.
    private func checkTariffs(_ context: RequestContext) async throws -> Response {
        var text = context.form["tariff"] ?? ""
        if let file = context.form.file("file"), !file.bytes.isEmpty {
            guard let content = String(validating: file.bytes, as: UTF8.self) else {
                return wrongTariffs(text, TariffTexts.notText, context)
            }
            text = content
        }
        switch readTariffs(text) {
        case .failure(let fault): return wrongTariffs(text, fault.words, context)
        case .success(let book):
            return response(tariffConfirmation(text, book, nil, context), to: context)
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
            return .failure(TariffFault(words: error.text))
        }
    }

    private func wrongTariffs(_ text: String, _ error: Text, _ context: RequestContext) -> Response
    {
        var page = tariffForm(text, error, context)
        page.status = .unprocessableContent
        return response(page, to: context)
    }

    private func tariffConfirmation(
        _ text: String,
        _ book: TariffBook,
        _ problem: Text?,
        _ context: RequestContext
    ) -> Page {
        var form = FormPage(
            action: Address("/console/tariffs/adopt"),
            fields: [.note(context)],
            button: TariffTexts.adopt,
            busy: CommonTexts.busy
        )
        form.problem = problem
        form.extra = "<input type=\"hidden\" name=\"tariff\" value=\"\(text)\">"
        var page = Page(
            TariffTexts.confirm,
            body: """
                <h1>\(context.say(TariffTexts.confirm))</h1>
                <p class="lead">\(context.say(TariffTexts.confirmLead))</p>
                \(tariffCards(book, context))
                \(form.html(context))
                <p><a href="/console/tariffs/change">\(context.say(TariffTexts.back))</a></p>
                """
        )
        page.hasForm = true
        return page
    }

    private func adoptTariffs(_ context: RequestContext) async throws -> Response {
        guard let session = context.session, let person = session.person else {
            throw Failure.notSignedIn
        }
        let text = context.form["tariff"] ?? ""
        let book: TariffBook
        switch readTariffs(text) {
        case .failure(let fault): return wrongTariffs(text, fault.words, context)
        case .success(let read): book = read
        }
        guard await isBackedUp(before: "change tariffs", context) else {
            var page = tariffConfirmation(text, book, SetUpTexts.noBackup, context)
            page.status = .conflict
            return response(page, to: context)
        }
        let act = try accounts.noting(
            .changeTariffs,
            object: book.tariffs.map(\.validFrom.iso8601).joined(separator: " "),
            by: session,
            at: context.now
        )
        try await taxi.adoptTariffs(text, by: person.rawValue, note: context.note, with: [act])
        await settleActs(context)
        return .redirect(to: Address("/console/tariffs", query: ["notice": "adopted"]))
    }
}

/// An error message about a tariff file.
private struct TariffFault: Error {
    let words: Text
}

extension Field {
    /// The field for the reason of a change.
    static func note(_ context: RequestContext) -> Field {
        Field(
            name: "note",
            label: TariffTexts.note,
            hint: TariffTexts.noteHint,
            value: context.form["note"] ?? "",
            isRequired: false
        )
    }
}

extension RequestContext {
    /// The reason for a change: one line of at most 200 characters.
    var note: String {
        String((form["note"] ?? "").asOneLine.prefix(200))
    }
}
