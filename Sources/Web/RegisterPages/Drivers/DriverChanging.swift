import Drivers
import HTTPTypes
import Identity
import Localization
import Markup
import TaxiPages
import WebCore

extension RegisterPages {
    /// The form for changing a driver's record or reverting the last change (R6).
    func driverEditForm(_ context: RequestContext) async throws -> Response {
        let driver = try await driver(context)
        var former: DriverRecord?
        if context.query["former"] != nil { former = try await accounts.drivers.former(driver) }
        return response(driverEditPage(context, driver, former: former), to: context)
    }

    /// The edit page with the entered values or, initially, the stored ones.
    func driverEditPage(
        _ context: RequestContext,
        _ driver: Driver,
        former: DriverRecord? = nil,
        _ failure: AccountFailure? = nil
    ) -> Page {
        var record = DriverRecord(driver)
        record.papers = driver.papersToDecide
        record = former ?? record
        let person: [Field] = [
            .account(.name, context, failure, value: record.name),
            .account(.surname, context, failure, value: record.surname),
            .account(.phone, context, failure, kind: .telephone, value: record.mobile),
        ]
        var form = FormPage(
            action: driverChangeAddress(driver),
            fields: person + paperFields(record.papers, context, failure),
            button: DriverChangeTexts.look,
            busy: CommonTexts.busy
        )
        form.problem = failure?.text
        let title = DriverChangeTexts.edit("\(driver.name) \(driver.surname)")
        let lead = former == nil ? DriverChangeTexts.lead : DriverChangeTexts.formerLead
        var page = formPage(title, icon: .edit, lead: lead, form, context)
        page.body += "<div class=\"below\">\(backToDriver(driver, context))</div>"
        return page
    }

    /// Previews a change to a driver's record, and applies it once the preview is confirmed.
    func editDriver(_ context: RequestContext, _ signedIn: SignedIn) async throws -> Response {
        let driver = try await driver(context)
        let wish = DriverRecord(
            name: context.form["name"] ?? driver.name,
            surname: context.form["surname"] ?? driver.surname,
            mobile: context.form["phone"] ?? driver.mobile,
            papers: typedPapers(context)
        )
        let rules = try await accountRules()
        do {
            let record = try await rules.drivers.checked(wish, of: driver.person, at: context.now)
            guard context.form["over"] == DriverRecord(driver).digest else {
                return response(await driverChangePage(record, of: driver, context), to: context)
            }
            try await backup(before: "changing a driver", context)
            try await rules.drivers.update(
                driver.person,
                record.personal,
                record.papers,
                by: signedIn.session,
                at: context.now
            )
        } catch let failure as AccountFailure {
            return try refused(driverEditPage(context, driver, failure), failure, context)
        }
        await tellDispatcher(context)
        return .redirect(to: driverAddress(driver.person, notice: "saved"))
    }

    /// The preview of a change: new and stored values, and the effect on the taxi.
    private func driverChangePage(
        _ record: DriverRecord,
        of driver: Driver,
        _ context: RequestContext
    ) async -> Page {
        let current = DriverRecord(driver)
        let changes = zip(current.shown, record.shown).filter { $0.1 != $1.1 }
        let rows = changes.map { before, after -> [HTML] in
            [
                "\(context.say(before.0.label))",
                "\(paperValue(before.1, of: before.0, context))",
                "\(paperValue(after.1, of: after.0, context))",
            ]
        }
        let table = DataTable(
            caption: DriverChangeTexts.changes,
            [
                .init(DriverChangeTexts.field),
                .init(DriverChangeTexts.before),
                .init(DriverChangeTexts.after),
            ],
            rows: rows
        )
        var form = FormPage(
            action: driverChangeAddress(driver),
            fields: [],
            button: CommonTexts.save,
            busy: CommonTexts.busy
        )
        let values = record.fields + [("over", current.digest)]
        form.extra = .joined(
            values.map { name, value in
                "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
            }
        )
        var work: HTML?
        if let now = await taxiNow(of: driver) {
            let words = context.say(DecidingTexts.nowDoes(driver.papers.taxiCode))
            work = "<p class=\"notice\">\(words) \(context.say(now)).</p>"
        }
        // If the driver has submitted new papers, saving decides on them even without changes.
        let isNothing = changes.isEmpty && driver.proposed == nil
        let title = DriverChangeTexts.edit("\(driver.name) \(driver.surname)")
        let lead = isNothing ? DriverChangeTexts.nothing : DriverChangeTexts.saveLead
        var page = Page(
            title,
            body: """
                <h1>\(context.say(title))</h1>
                <p class="lead">\(context.say(lead))</p>
                \(HTML.when(!changes.isEmpty, table.html(context)))
                \(isNothing ? nil : work)
                \(isNothing ? .empty : form.html(context))
                \(backToDriver(driver, context))
                """
        )
        page.hasForm = !isNothing
        return page
    }

    private func driverChangeAddress(_ driver: Driver) -> Address {
        Address("/console/driver", "\(driver.person.rawValue)", "edit")
    }
}

extension DriverRecord {
    /// The stored values with their fields, in the order of the form.
    fileprivate var shown: [(FormField, String)] {
        [(.name, name), (.surname, surname), (.phone, mobile)] + papers.shown
    }

    /// The values as fields of the form in which they were entered.
    fileprivate var fields: [(String, String)] {
        shown.map { ($0.rawValue, $1) }
    }

    /// A digest that identifies the record without revealing it.
    fileprivate var digest: String { shownDigest(of: shown) }
}
