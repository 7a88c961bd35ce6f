import Chronology
import Crypto
import Dispatching
import Drivers
import Encoding
import Foundation
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension RegisterPages {
    /// The number of audit log entries on a driver's page; the audit log shows the rest.
    private static let actsShown = 20

    /// The page of a driver: identity, papers, decisions and available actions.
    func showDriver(_ context: RequestContext) async throws -> Response {
        let driver = try await driver(context)
        let profile = try await accounts.profile(of: driver.person)
        let work = await taxiNow(of: driver)
        let acts = try await accounts.audit(concerning: driver.person, limit: Self.actsShown)
        let isChanged = try await accounts.drivers.former(driver) != nil
        let mayChange = context.session?.roles.contains(.administrator) == true
        let name = "\(driver.name) \(driver.surname)"
        var page = Page(
            Text(same: name),
            body: """
                \(consoleNotice(DriverPageTexts.notices, context))
                <h1>\(name)</h1>
                <p>\(driver.chip(today: today(context)).html(context))</p>
                \(standing(of: driver, profile, context))
                \(try await unreachedNotice(driver.person, context))
                \(mayChange && !driver.isUnproved(profile) ? decision(on: driver, context) : .empty)
                <div class="\(driver.proposed == nil ? "columns" : "")">
                <section><h2>\(context.say(DriverPageTexts.person))</h2>
                \(summary(driver, profile, work, context))</section>
                <section><h2>\(context.say(DriverPageTexts.papers))</h2>
                \(paperTable(driver, context))</section></div>
                \(mayChange ? actions(driver, profile, isChanged, context) : .empty)
                \(try await history(acts, context))
                <p><a href="/console/drivers">\(context.say(DriverPageTexts.back))</a></p>
                """
        )
        page.hasForm = true
        return response(page, to: context)
    }

    private func history(_ acts: [AuditEntry], _ context: RequestContext) async throws -> HTML? {
        guard !acts.isEmpty else { return nil }
        return """
            <h2>\(context.say(DriverPageTexts.history))</h2>
            \(try await actTable(acts, context))
            """
    }

    /// The dispatcher's current state of a driver's taxi; nil if the dispatcher does not know the
    /// taxi.
    func dispatcherState(of driver: Driver) async throws -> TaxiStatus? {
        let code = driver.taxi.dispatcherCode
        return try await taxi.dispatch.read { state in
            state.taxis.last { $0.code == code && !$0.isRemoved }?.status
        }
    }

    /// A description of what a driver's taxi is doing now; nil if another server runs the
    /// dispatcher.
    func taxiNow(of driver: Driver) async -> Text? {
        do {
            return try await dispatcherState(of: driver).map(DriverPageTexts.work)
                ?? DriverPageTexts.notRegistered
        } catch {
            return nil
        }
    }

    /// The obstacles that keep the driver from driving, or a note that there are none.
    private func standing(of driver: Driver, _ profile: Profile, _ context: RequestContext) -> HTML
    {
        var notices: [HTML] = []
        if case .suspended(let reason) = profile.standing {
            let text = context.say(DriverPageTexts.suspended)
            notices.append("<p class=\"notice bad\">\(text) \(reason)</p>")
        }
        switch driver.verification {
        case .refused:
            let text = context.say(DriverPageTexts.refused)
            notices.append("<p class=\"notice bad\">\(text) \(driver.refusal ?? "")</p>")
        case .awaiting:
            let text =
                driver.isUnproved(profile)
                ? DriverPageTexts.unproved : DriverPageTexts.awaiting
            notices.append("<p class=\"notice warn\">\(context.say(text))</p>")
        case .verified: break
        }
        if driver.proposed != nil {
            notices.append(
                "<p class=\"notice warn\">\(context.say(DriverPageTexts.proposed))</p>"
            )
        }
        if driver.papers.firstEnd < today(context) {
            notices.append(
                "<p class=\"notice bad\">\(context.say(DriverPageTexts.expired))</p>"
            )
        }
        return .joined(notices)
    }

    private func summary(
        _ driver: Driver,
        _ profile: Profile,
        _ work: Text?,
        _ context: RequestContext
    ) -> HTML {
        let account: Text =
            switch profile.standing {
            case .active: DriverPageTexts.active
            case .unconfirmed where driver.isUnproved(profile): DriverPageTexts.notConfirmed
            case .unconfirmed: DriverPageTexts.unconfirmed
            case .suspended: DriverListTexts.isSuspended
            case .erased: DriverPageTexts.unconfirmed
            }
        var rows: [(Icon, Text, String)] = [
            (.mail, FormField.email.label, driver.email),
            (.phone, FormField.phone.label, driver.mobile),
            (.language, FormField.language.label, profile.language.ownName),
            (.key, DriverPageTexts.account, context.say(account)),
        ]
        if let work { rows.append((.taxi, DriverPageTexts.now, context.say(work))) }
        let items = rows.map { icon, label, value in
            Row(icon, label: "\(context.say(label))", Row.breakable(value))
        }
        return Rows(items).html
    }

    /// A value of papers as people write it: a date, a colour or a yes in their language, anything
    /// else as it is.
    func paperValue(
        _ value: String,
        of field: FormField? = nil,
        _ context: RequestContext
    ) -> String {
        if value.isEmpty { return context.say(VehicleLook.notStated) }
        if field == .colour, let colour = VehicleColour(rawValue: value) {
            return context.say(colour.label)
        }
        if field == .wheelchair {
            return context.say(value == "yes" ? DriverFormTexts.yes : DriverFormTexts.no)
        }
        return CivilDate(iso8601: value).map { shortDay($0, context) } ?? value
    }

    /// A table that compares the papers in force with the proposed ones.
    func paperTable(_ driver: Driver, _ context: RequestContext) -> HTML {
        let old = driver.papers.shown
        let new = driver.proposed?.shown
        let rows = old.indices.map { index -> [HTML] in
            let (field, value) = old[index]
            let label = field.label
            let written = paperValue(value, of: field, context)
            var shown: HTML = "\(written)"
            if value.isDay, value < today(context) {
                let chip = StateChip(DriverPageTexts.ended, icon: .warning, tone: .bad)
                shown = "\(written) \(chip.html(context))"
            } else if value.isDay, value <= lastWarning(context) {
                let chip = StateChip(DriverPageTexts.endsSoon, icon: .clock, tone: .live)
                shown = "\(written) \(chip.html(context))"
            }
            guard let new else { return ["\(context.say(label))", shown] }
            let mark: HTML = .when(
                new[index].1 != value,
                " <strong>\(context.say(DriverPageTexts.changed))</strong>"
            )
            let next = paperValue(new[index].1, of: field, context)
            return ["\(context.say(label))", shown, "\(next)\(mark)"]
        }
        guard new != nil else {
            return Rows(zip(DriverPapers.icons, rows).map { Row($0, label: $1[0], $1[1]) }).html
        }
        let inForce =
            driver.verification == .verified
            ? DriverPageTexts.inForce : DriverPageTexts.given
        let heads = [DriverPageTexts.document, inForce, DriverPageTexts.wanted]
        return DataTable(
            caption: DriverPageTexts.papers,
            heads.map { DataTable.Column($0) },
            rows: rows,
            hidesCaption: true
        ).html(context)
    }

    /// The pending decision, which is the page's primary action.
    private func decision(on driver: Driver, _ context: RequestContext) -> HTML {
        guard driver.proposed != nil || driver.verification != .verified else { return .empty }
        let number = "\(driver.person.rawValue)"
        return """
            <form method="post" action=\(Address("/console/driver", number, "verify"))>
            \(context.formToken)
            <input type="hidden" name="papers" value="\(driver.papersToDecide.digest)">
            <p class="actions">\
            <button class="primary" data-busy="\(context.say(CommonTexts.busy))">\
            \(context.say(DriverPageTexts.verify))</button>
            <a class="button" href=\(Address("/console/driver", number, "refuse"))>\
            \(context.say(DriverPageTexts.refuse))</a></p></form>
            """
    }

    private func actions(
        _ driver: Driver,
        _ profile: Profile,
        _ isChanged: Bool,
        _ context: RequestContext
    ) -> HTML {
        let number = "\(driver.person.rawValue)"
        func link(_ last: String, _ text: Text, danger: Bool = false) -> HTML {
            let address = Address("/console/driver", number, last)
            return """
                <a class="\(danger ? "button danger" : "button")" href=\(address)>\
                \(context.say(text))</a>
                """
        }
        func button(_ last: String, _ text: Text) -> HTML {
            """
            <form method="post" action=\(Address("/console/driver", number, last))>\
            \(context.formToken)<button>\(context.say(text))</button></form>
            """
        }
        var actions = [link("edit", DriverPageTexts.edit)]
        if isChanged {
            let address = Address("/console/driver", number, "edit", query: ["former": "yes"])
            actions.append(
                "<a class=\"button\" href=\(address)>\(context.say(DriverChangeTexts.takeBack))</a>"
            )
        }
        if driver.isSuspended {
            actions.append(button("resume", DriverPageTexts.resume))
        } else {
            if profile.standing == .unconfirmed {
                actions.append(button("invite", DriverPageTexts.invite))
            }
            actions.append(link("suspend", DriverPageTexts.suspend, danger: true))
        }
        actions.append(link("remove", DriverPageTexts.remove, danger: true))
        return """
            <h2>\(context.say(DriverPageTexts.actions))</h2>
            <div class="actions">\(actions)</div>
            """
    }
}

extension Driver {
    /// The papers for an administrator to decide on: the proposed ones, or else the current ones.
    var papersToDecide: DriverPapers { proposed ?? papers }

    /// Whether the driver has self-registered without confirming it; drivers registered by the city
    /// are verified.
    fileprivate func isUnproved(_ profile: Profile) -> Bool {
        profile.standing == .unconfirmed && verification == .awaiting
    }
}

extension DriverPapers {
    /// A digest that identifies the papers without revealing them.
    var digest: String { shownDigest(of: shown) }

    /// An icon for each of the values that are shown.
    static let icons: [Icon] = [
        .taxi, .card, .car, .eye, .people, .wheelchair, .licence, .calendar, .licence, .calendar,
    ]

    /// The papers' values with their fields, in the order of the form.
    var shown: [(FormField, String)] {
        [
            (.taxiCode, taxiCode), (.plate, plate), (.make, make), (.colour, colour),
            (.seats, seats), (.wheelchair, wheelchair), (.taxiLicence, taxiLicence),
            (.taxiLicenceExpires, taxiLicenceExpires), (.drivingLicence, drivingLicence),
            (.drivingLicenceExpires, drivingLicenceExpires),
        ]
    }
}

/// A digest that identifies the values on a page without revealing them.
func shownDigest(of values: [(FormField, String)]) -> String {
    let text = values.map(\.1).joined(separator: "\u{1F}")
    return SHA256.hash(data: Data(text.utf8)).hex
}

extension String {
    /// Whether the text is a date in the format of papers.
    fileprivate var isDay: Bool { wholeMatch(of: /\d{4}-\d{2}-\d{2}/) != nil }
}
