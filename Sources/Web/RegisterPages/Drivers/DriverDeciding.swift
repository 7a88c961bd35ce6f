import Dispatching
import Drivers
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension RegisterPages {
    /// Verifies the papers that the page displayed.
    func verifyDriver(_ context: RequestContext, _ signedIn: SignedIn) async throws -> Response {
        let driver = try await driver(context)
        guard context.form["papers"] == driver.papersToDecide.digest else {
            return response(changedMeanwhile(driver, context), to: context)
        }
        do {
            try await accounts.drivers.check(
                driver.papersToDecide,
                of: driver.person,
                at: context.now
            )
            try await backup(before: "verifying a driver", context)
            try await accountRules().drivers.decide(
                on: driver.papersToDecide,
                of: driver.person,
                by: signedIn.session,
                at: context.now
            )
        } catch AccountFailure.changedMeanwhile {
            return response(changedMeanwhile(driver, context), to: context)
        } catch let failure as AccountFailure {
            // Papers that cannot be verified as submitted can be corrected.
            return try refused(driverEditPage(context, driver, failure), failure, context)
        }
        await tellDispatcher(context)
        return .redirect(to: driverAddress(driver.person, notice: "verified"))
    }

    private func changedMeanwhile(_ driver: Driver, _ context: RequestContext) -> Page {
        let address = Button.Target.link(driverAddress(driver.person))
        let dialog = Dialog(
            DecidingTexts.changed,
            icon: .question,
            text: "\(context.say(DecidingTexts.lookAgain))",
            actions: Button(DecidingTexts.look, address, look: .primary).html(context)
        )
        var page = Page(DecidingTexts.changed, body: dialog.html(context))
        page.status = .conflict
        return page
    }

    /// A page that asks for a reason before an action on a driver.
    private func reasonPage(
        _ title: Text,
        _ lead: Text,
        _ last: String,
        _ driver: Driver,
        _ context: RequestContext,
        _ failure: AccountFailure?
    ) -> Page {
        var form = FormPage(
            action: Address("/console/driver", "\(driver.person.rawValue)", last),
            fields: [
                .account(.reason, context, failure, hint: DecidingTexts.reasonHint)
            ],
            button: title,
            busy: CommonTexts.busy
        )
        form.problem = failure?.text
        form.extra = """
            <input type="hidden" name="papers" \
            value="\(context.form["papers"] ?? driver.papersToDecide.digest)">
            """
        let name = "\(driver.name) \(driver.surname)"
        let heading = DecidingTexts.titled(title, name)
        form.isDestructive = true
        var page = formPage(heading, icon: .warning, lead: lead, form, context)
        page.body += "<div class=\"below\">\(backToDriver(driver, context))</div>"
        return page
    }

    /// The page that asks for the reason to reject papers.
    func refusalPage(
        _ context: RequestContext,
        _ driver: Driver,
        _ failure: AccountFailure? = nil
    ) -> Page {
        let lead =
            driver.proposed == nil ? DecidingTexts.refuseLead : DecidingTexts.refuseNewLead
        return reasonPage(DecidingTexts.refuse, lead, "refuse", driver, context, failure)
    }

    /// Rejects papers; the driver receives the reason.
    func refuseDriver(_ context: RequestContext, _ signedIn: SignedIn) async throws -> Response {
        let driver = try await driver(context)
        guard context.form["papers"] == driver.papersToDecide.digest else {
            return response(changedMeanwhile(driver, context), to: context)
        }
        do {
            try await accountRules().drivers.decide(
                on: driver.papersToDecide,
                of: driver.person,
                refusal: context.form["reason"] ?? "",
                by: signedIn.session,
                at: context.now
            )
        } catch AccountFailure.changedMeanwhile {
            return response(changedMeanwhile(driver, context), to: context)
        } catch let failure as AccountFailure {
            return try refused(refusalPage(context, driver, failure), failure, context)
        }
        await tellDispatcher(context)
        return .redirect(to: driverAddress(driver.person, notice: "refused"))
    }

    /// The page that asks for the reason to suspend a driver.
    func driverSuspensionPage(
        _ context: RequestContext,
        _ driver: Driver,
        _ failure: AccountFailure? = nil
    ) -> Page {
        let lead = DecidingTexts.suspendLead
        return reasonPage(DecidingTexts.suspend, lead, "suspend", driver, context, failure)
    }

    /// Suspends a driver's account, and the taxi unless someone else is driving it.
    func suspendDriver(_ context: RequestContext, _ signedIn: SignedIn) async throws -> Response {
        let driver = try await driver(context)
        do {
            try await accounts.setSuspension(
                context.form["reason"] ?? "",
                of: driver.person,
                by: signedIn.session,
                at: context.now
            )
        } catch let failure as AccountFailure {
            return try refused(driverSuspensionPage(context, driver, failure), failure, context)
        }
        await tellDispatcher(context)
        return .redirect(to: driverAddress(driver.person, notice: "suspended"))
    }

    /// Ends the suspension of a driver.
    func resumeDriver(_ context: RequestContext, _ signedIn: SignedIn) async throws -> Response {
        let driver = try await driver(context)
        try await accounts.setSuspension(
            nil,
            of: driver.person,
            by: signedIn.session,
            at: context.now
        )
        await tellDispatcher(context)
        return .redirect(to: driverAddress(driver.person, notice: "resumed"))
    }

    /// Sends another invitation to a driver who has not chosen a password.
    func inviteDriver(_ context: RequestContext, _ signedIn: SignedIn) async throws -> Response {
        let driver = try await driver(context)
        do {
            try await accounts.drivers.invite(
                driver.person,
                by: signedIn.session,
                at: context.now
            )
        } catch AccountFailure.tooManyMessages {
            return .redirect(to: driverAddress(driver.person, notice: "manyInvitations"))
        }
        return .redirect(to: driverAddress(driver.person, notice: "invited"))
    }

    /// The page that states which data a removal destroys and what the taxi is doing now.
    func removalPage(
        _ context: RequestContext,
        _ driver: Driver,
        _ failure: AccountFailure? = nil
    ) async throws -> Page {
        let name = "\(driver.name) \(driver.surname)"
        let now: HTML? = await taxiNow(of: driver).map { work in
            """
            <p class="notice">\(context.say(DecidingTexts.nowDoes(driver.papers.taxiCode))) \
            \(context.say(work)).</p>
            """
        }
        guard try await !hasRide(driver) else {
            return removalObstacle(.driving, driver, context)
        }
        var form = FormPage(
            action: Address("/console/driver", "\(driver.person.rawValue)", "remove"),
            fields: [],
            button: DecidingTexts.remove,
            busy: CommonTexts.busy
        )
        form.problem = failure?.text
        form.extra = """
            <ul>\(DecidingTexts.destroyed.map { "<li>\(context.say($0))</li>" as HTML })</ul>
            \(now)
            <div class="choice">
            <input type="checkbox" id="field-proceed" name="proceed" value="yes">
            <label for="field-proceed">\(context.say(DecidingTexts.proceed))</label></div>
            """
        let heading = DecidingTexts.titled(DecidingTexts.remove, name)
        form.isDestructive = true
        let lead = CommonTexts.cannotBeUndone
        var page = formPage(heading, icon: .bin, lead: lead, form, context)
        page.body += "<div class=\"below\">\(backToDriver(driver, context))</div>"
        return page
    }

    /// The reason why a driver cannot be removed now, and the remedy.
    private func removalObstacle(
        _ obstacle: LeavingObstacle,
        _ driver: Driver,
        _ context: RequestContext
    ) -> Page {
        let (title, lead) =
            switch obstacle {
            case .driving: (DecidingTexts.riding, DecidingTexts.ridingLead)
            case .asked: (DecidingTexts.asked, DecidingTexts.askedLead)
            case .riding, .calling: (DecidingTexts.carried, DecidingTexts.carriedLead)
            }
        let dialog = Dialog(title, icon: .taxi, text: "\(context.say(lead))")
        return Page(
            title,
            body: """
                \(dialog.html(context))\
                <div class="below">\(backToDriver(driver, context))</div>
                """
        )
    }

    /// Whether a driver's taxi has a ride, as far as this server knows.
    private func hasRide(_ driver: Driver) async throws -> Bool {
        do {
            return try await dispatcherState(of: driver) == .riding
        } catch DispatchService.Failure.notServing {
            return false
        }
    }

    /// Removes a driver without a ride (R6).
    func removeDriver(_ context: RequestContext, _ signedIn: SignedIn) async throws -> Response {
        let driver = try await driver(context)
        do {
            guard context.form["proceed"] == "yes" else { throw AccountFailure.notProceeded }
            if try await hasRide(driver) {
                return response(try await removalPage(context, driver), to: context)
            }
            try await backup(before: "removing a driver", context)
            try await accounts.drivers.remove(driver.person, by: signedIn.session, at: context.now)
        } catch let obstacle as LeavingObstacle {
            return response(removalObstacle(obstacle, driver, context), to: context)
        } catch let failure as AccountFailure {
            return try refused(
                try await removalPage(context, driver, failure),
                failure,
                context
            )
        }
        await tellDispatcher(context)
        return .redirect(to: Address("/console/drivers", query: ["notice": "removed"]))
    }
}

extension DecidingTexts {
    static let destroyed = [
        DecidingTexts.nameContactsLicencesAndAccount,
        CommonTexts.backupsKeep,
        DecidingTexts.theTaxiLeavesItsQueue,
        DecidingTexts.thatRidesTookPlaceStays,
    ]
    static func titled(_ act: Text, _ name: String) -> Text {
        Text(joining: [act, Text(same: ": \(name)")])
    }
}
