import Agenda
import Chronology
import DayPlanning
import HTTPTypes
import Localization
import Markup
import OpenData
import TaxiPages
import TravelPages
import WebCore

/// Which entry a form is about.
struct EntryTarget {
    /// The entry; nil for a new one.
    var entry: AgendaEntry?
    /// The occurrence that alone is changed; nil for all.
    var occurrence: OccurrenceID?
    /// The day of that occurrence.
    var day: CivilDate?
    /// Whether the entry has several occurrences.
    var isRepeated = false

    /// The entry in two parts, of which the second one is changed: that occurrence and all later
    /// ones.
    ///
    /// Nil if that occurrence alone is changed, or all are.
    var division: EntryDivision?
    /// Whether the entry can be divided at that occurrence.
    var isDivisible = false

    /// Whether several occurrences are changed together.
    var isSeries: Bool { isRepeated && !isSingle }
    /// Whether one occurrence alone is changed.
    var isSingle: Bool { occurrence != nil && division == nil }

    /// The number of the entry; that of no entry for a new one, and for what becomes one.
    var number: EntryNumber {
        division == nil ? entry?.number ?? RepairChoice.newEntry : RepairChoice.newEntry
    }

    /// The entry that is written, as it was: the second part of one that is divided.
    var written: AgendaEntry? {
        division.map { AgendaEntry(number: number, revision: 0, calendar: $0.after) } ?? entry
    }

    /// What is left of a divided entry, which counts beside the one that is written.
    var rest: [AgendaEntry] {
        guard let entry, let before = division?.before else { return [] }
        return [AgendaEntry(number: entry.number, revision: entry.revision, calendar: before)]
    }

    /// What the entry says before the change; nil for a new one.
    func details(_ zone: NamedZone) -> EntryDetails? {
        written?.details(of: division == nil ? occurrence : nil, zone: zone)
    }

    /// The address of the form.
    var address: Address {
        guard let entry else { return Address("/calendar/new") }
        return .entry(entry.number, at: occurrence, andLater: division != nil)
    }
}

extension Address {
    /// The form of an entry.
    ///
    /// - Parameters:
    ///   - number: the entry.
    ///   - occurrence: the occurrence that alone is meant; nil for all.
    ///   - isOfLater: whether all later ones are meant too.
    /// - Returns: its address.
    static func entry(
        _ number: EntryNumber,
        at occurrence: OccurrenceID? = nil,
        andLater isOfLater: Bool = false
    ) -> Address {
        let number = "\(number.rawValue)"
        guard let occurrence else { return Address("/calendar/entry", number) }
        let at = "\(occurrence.seconds)"
        return isOfLater
            ? Address("/calendar/entry", number, query: ["at": at, "range": "later"])
            : Address("/calendar/entry", number, query: ["at": at])
    }
}

/// The form of an entry (V19, V30, V44).
extension CalendarPages {
    /// What the form says about the day with the entry.
    enum Verdict {
        /// Nothing was asked.
        case none
        /// The day works out, or is still being planned: when to leave.
        case good(Text)
        /// The day does not work out.
        case bad(PersonDay, PlannedDay)
        /// The day works out without journeys for which its owner has tickets.
        case loses([BoughtTicket])
        /// Good times for it, the best first.
        case slots([EntrySlot])

        /// Whether it is saved only if its owner says so.
        var isWarning: Bool {
            switch self {
            case .bad, .loses: true
            case .none, .good, .slots: false
            }
        }
    }

    func entryPage(
        _ form: EntryForm,
        _ target: EntryTarget,
        verdict: Verdict = .none,
        problem: Text? = nil,
        journey: HTML? = nil,
        _ context: RequestContext
    ) -> Page {
        let title = target.entry == nil ? EntryTexts.newTitle : EntryTexts.editTitle
        let fields = fields(form)
        let shown = context.refilling(target.address)
        var all = FormPage(
            action: target.address,
            fields: fields.all,
            button: EntryTexts.save,
            busy: EntryTexts.saving
        )
        all.problem = problem
        var save = Button(saveLabel(verdict), look: .primary)
        save.busy = EntryTexts.saving
        save.isWide = true
        let check = Button(EntryTexts.check, .submit(name: "check", value: "yes"), icon: .route)
        let find = Button(EntryTexts.find, .submit(name: "find", value: "yes"), icon: .search)
        let map = Button(
            VehicleTexts.onMap,
            .submit(name: "point", value: PointStep.open.rawValue),
            icon: .pin
        )
        var page = Page(
            title,
            body: """
                <div class="narrow">
                <h1>\(context.say(title))</h1>
                \(scope(target, context))
                \(journey)
                \(all.summary(context))
                <form class="fields entry" method="post" action=\(target.address) novalidate>
                \(context.formToken)
                \(verdictNotice(verdict, target, context))
                \(fields.title.html(shown))
                \(timingChoice(form).html(shown))
                <div class="moments">\(fields.timing.map { $0.html(shown) })</div>
                \(fields.place.html(shown))\(fields.choice.map { $0.html(shown) })
                \(form.place.hidden)
                <p class="actions">\(check.html(context))\
                \(HTML.when(form.timing == .fixed && !target.isSeries, find.html(context)))\
                \(map.html(context))</p>
                \(FoldedRow.list(rows(form, fields, target, shown), context))
                \(hidden(target, verdict))
                \(deleteLink(target, context))
                \(context.languageButtons(target.address))
                \(Dock(save.html(context)).html)
                </form></div>
                \(locatingScript(allowedMetres: -1, context))
                """
        )
        page.hasForm = true
        let isRefused = !form.problems.isEmpty || problem != nil
        if isRefused { page.status = .unprocessableContent }
        return page
    }

    private func saveLabel(_ verdict: Verdict) -> Text {
        verdict.isWarning ? EntryTexts.saveAnyway : EntryTexts.save
    }

    /// Says which occurrences are edited, and leads to the forms of others.
    private func scope(_ target: EntryTarget, _ context: RequestContext) -> HTML? {
        guard target.isRepeated, let entry = target.entry else { return nil }
        guard target.occurrence != nil, let day = target.day else {
            return "<p class=\"lead\">\(context.say(EntryTexts.allOfThem))</p>"
        }
        let (one, number) = (target.occurrence, entry.number)
        var links: [(text: Text, address: Address, isCurrent: Bool)] = [
            (EntryTexts.scopeOne, .entry(number, at: one), target.isSingle)
        ]
        if target.isDivisible {
            let later = Address.entry(number, at: one, andLater: true)
            links.append((EntryTexts.scopeLater, later, !target.isSingle))
        }
        links.append((EntryTexts.scopeAll, .entry(number), false))
        let lead = target.isSingle ? EntryTexts.onlyThis(day) : EntryTexts.thisAndLater(day)
        return """
            \(Segments(label: EntryTexts.scope, links).html(context))\
            <p class="lead">\(context.say(lead))</p>
            """
    }

    /// Whether the day works out with the entry, and if not, what would help.
    private func verdictNotice(
        _ verdict: Verdict,
        _ target: EntryTarget,
        _ context: RequestContext
    ) -> HTML? {
        switch verdict {
        case .none: return nil
        case .loses(let tickets):
            return "\(lossNotice(tickets, context))\(defaultButton(context))"
        case .slots(let slots): return slotsNotice(slots, context)
        case .good(let text):
            return Notice(.success, isAnnounced: true, "\(context.say(text))").html(context)
        case .bad(let day, let plan):
            let buttons = plan.repairs.compactMap { repair -> HTML? in
                // Not to save it at all needs no button.
                guard let choice = RepairChoice(repair, plan, day), !choice.leavesOut(target.number)
                else { return nil }
                let change = words(repair, plan, context)
                return """
                    <button class="chip" name="repair" value="\(choice.text)">\(Icon.swap.html) \
                    <span>\(context.say(EntryTexts.saveWith(change)))</span></button>
                    """
            }
            return """
                <section class="notice warn conflict" role="alert">\
                <h2>\(context.say(EntryTexts.warning))</h2>\(reasons(plan, context))
                \(defaultButton(context))
                <div class="fixes">\(buttons)</div></section>
                """
        }
    }

    /// What the Enter key in a field presses, instead of the first repair: browsers take the first
    /// button of a form.
    private func defaultButton(_ context: RequestContext) -> HTML {
        "<button hidden name=\"check\" value=\"yes\">\(context.say(EntryTexts.check))</button>"
    }

    private func hidden(_ target: EntryTarget, _ verdict: Verdict) -> HTML {
        let anyway: HTML = "<input type=\"hidden\" name=\"anyway\" value=\"yes\">"
        let revision = target.entry.map { entry -> HTML in
            "<input type=\"hidden\" name=\"revision\" value=\"\(entry.revision)\">"
        }
        return "\(revision)\(HTML.when(verdict.isWarning, anyway))"
    }

    private func deleteLink(_ target: EntryTarget, _ context: RequestContext) -> HTML? {
        guard let entry = target.entry else { return nil }
        let number = "\(entry.number.rawValue)"
        let address =
            target.occurrence.map {
                Address("/calendar/entry", number, "delete", query: ["at": "\($0.seconds)"])
            } ?? Address("/calendar/entry", number, "delete")
        let button = Button(EntryTexts.delete, .link(address), look: .destructive, icon: .bin)
        return "<p class=\"actions\">\(button.html(context))</p>"
    }
}
