import Chronology
import Crypto
import Dispatching
import Encoding
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// The values a driver entered in the boarding form, and the validation errors.
struct BoardingForm: Sendable {
    var code = ""
    var aboard = ""
    var codeError: Text?
    var aboardError: Text?

    /// Whether the form has no errors, as before it is first submitted.
    var isEmpty: Bool { codeError == nil && aboardError == nil }

    /// The error summary at the top of the page.
    func summary(_ context: RequestContext) -> HTML? {
        let items = [("field-code", codeError), ("field-aboard", aboardError)].compactMap {
            field,
            error in
            error.map { "<li><a href=\"#\(field)\">\(context.say($0))</a></li>" as HTML }
        }
        guard !items.isEmpty else { return nil }
        return """
            <div class="notice bad mistakes" role="alert" tabindex="-1" data-focus>\
            <h2 class="hidden">\(context.say(FormTexts.problem))</h2><ul>\(items)</ul></div>
            """
    }
}

/// Identifies what a driver says about boarding, so that a message that comes twice counts once.
struct BoardingKey: Sendable {
    /// The random text that the sender chose.
    var text: String
    /// The sender's secret.
    var secret: String

    /// Distinguishes codes without revealing them to anyone who can read the database.
    ///
    /// The dispatcher learns only that a code is wrong; two wrong codes under one idempotency key
    /// would otherwise count as a single attempt (I15).
    func mark(of code: String) -> String {
        let key = SymmetricKey(data: Array(secret.utf8))
        let mark = HMAC<SHA256>.authenticationCode(for: Array(code.utf8), using: key)
        return mark.prefix(8).map { " \($0)" }.joined()
    }
}

extension DriverPages {
    /// The form on which a driver confirms that passengers have boarded (R59, R89).
    ///
    /// - Parameters:
    ///   - shown: the ride.
    ///   - form: what was entered before.
    ///   - further: what stands between the fields and the button.
    ///   - driver: the driver and taxi.
    ///   - context: the current HTTP request.
    /// - Returns: the form, or why nobody can board.
    func boardingForm(
        _ shown: RideShown,
        _ form: BoardingForm,
        _ further: HTML,
        _ driver: WorkingDriver,
        _ context: RequestContext
    ) -> HTML {
        let policy = driver.view.policy
        let hasCode = policy.pinDigits != .none
        if hasCode, Int64(shown.ride.wrongCodes) >= policy[.codeAttempts] {
            let trouble = DriveTrouble(Refusal.codeLocked) { clockTime($0) }
            return """
                <div class="notice bad"><h2>\(context.say(trouble.title))</h2>
                <p>\(context.say(trouble.advice))</p></div>
                \(further)
                """
        }
        let seats = driver.view.taxi.capacity.seats
        let left = policy[.codeAttempts] - Int64(shown.ride.wrongCodes)
        // Also after the page was loaded again: the dispatcher remembers wrong codes.
        let tries: HTML? =
            hasCode && shown.ride.wrongCodes > 0 && form.codeError == nil
            ? "<p class=\"notice warn\">\(context.say(BoardTexts.triesLeft(left)))</p>" : nil
        let code = Field(
            name: "code",
            label: BoardTexts.code,
            hint: form.codeError == nil ? BoardTexts.codeHint : nil,
            value: form.code,
            error: form.codeError
        )
        let aboard = Field(
            name: "aboard",
            label: BoardTexts.aboard,
            kind: .number,
            hint: BoardTexts.aboardHint(seats),
            value: form.isEmpty ? "\(shown.needs.seats)" : form.aboard,
            error: form.aboardError
        )
        return """
            <form method="post" action="/drive/ride/board" novalidate>
            \(context.formToken)\(rideField(shown))
            \(tries)
            <div class="boarding">\(HTML.when(hasCode, code.html(context)))
            \(aboard.html(context))</div>
            \(further)
            \(Dock("""
                <button class="primary huge" data-busy="\(context.say(DriveTexts.busy))">\
                \(context.say(BoardTexts.button))</button>
                """).html)
            \(context.languageButtons(Address("/drive/ride/board")))
            </form>
            """
    }

    /// Confirms boarding with the code that the passengers showed (R59).
    ///
    /// A wrong code counts as one attempt, however often the form is resubmitted.
    func board(_ context: RequestContext, _ driver: WorkingDriver) async throws -> Response {
        var form = BoardingForm(
            code: (context.form["code"] ?? "").trimmingBlanks(),
            aboard: (context.form["aboard"] ?? "").trimmingBlanks()
        )
        let before = try await rideNamed(context, driver)
        let key = context.form["key"].map {
            BoardingKey(text: $0, secret: context.secret?.text ?? "")
        }
        if try await board(&form, before, driver, key) { return .redirect(to: Address("/drive")) }
        return try await boardingAgain(form, context, driver)
    }

    /// Confirms boarding, or writes into the form what is wrong.
    ///
    /// - Returns: whether the passengers are on board.
    func board(
        _ form: inout BoardingForm,
        _ before: RideShown,
        _ driver: WorkingDriver,
        _ key: BoardingKey?
    ) async throws -> Bool {
        let hasCode = driver.view.policy.pinDigits != .none
        let count = UInt8(form.aboard) ?? 0
        if count == 0 || count > driver.view.taxi.capacity.seats {
            form.aboardError = BoardTexts.badCount(driver.view.taxi.capacity.seats)
        }
        if hasCode, form.code.isEmpty, before.ride.stage != .aboard {
            form.codeError = BoardTexts.codeHint
        }
        guard form.isEmpty else { return false }
        do {
            if try await board(driver, count, hasCode ? form.code : nil, key) { return true }
        } catch Refusal.alreadyAboard where before.ride.aboard == count {
            return true
        }
        let left =
            driver.view.policy[.codeAttempts] - Int64(try await rideShown(driver).ride.wrongCodes)
        guard left > 0 else { throw Refusal.codeLocked }
        form.codeError = BoardTexts.wrongCode(left)
        return false
    }

    private func board(
        _ driver: WorkingDriver,
        _ count: UInt8,
        _ code: String?,
        _ key: BoardingKey?
    ) async throws -> Bool {
        let key = key.map {
            DispatchService.Key(
                caller: "board \(driver.person.rawValue)",
                key: String($0.text.prefix(64)) + $0.mark(of: code ?? "")
            )
        }
        do {
            return try await taxi.board(driver.number, aboard: count, code: code, key: key)
        } catch DispatchService.Failure.keyUsedForAnother {
            // The same form with a different value is a new attempt.
            return try await taxi.board(driver.number, aboard: count, code: code)
        }
    }

    private func boardingAgain(
        _ form: BoardingForm,
        _ context: RequestContext,
        _ driver: WorkingDriver
    ) async throws -> Response {
        guard var page = try await ridePage(context, driver, board: form) else {
            throw Refusal.notRiding
        }
        page.status = .unprocessableContent
        return response(page, to: context)
    }
}
