import Agenda
import Localization
import Markup
import OpenData
import TaxiPages
import TravelPages
import WebCore

/// The fields of the form.
struct EntryFields {
    var title: Field
    var timing: [Field]
    var place: Field
    /// The choice between several places; nil if one is meant.
    var choice: Field?
    var repetition: [Field]
    var kind: [Field]
    var travel: [Field]
    var notes: Field

    /// All of them, in the order of the form.
    var all: [Field] {
        [title] + timing + [place] + [choice].compactMap(\.self) + repetition + kind + travel
            + [notes]
    }
}

extension CalendarPages {
    /// The ways of saying when an entry is.
    func timingChoice(_ form: EntryForm) -> ChipChoice {
        ChipChoice(
            name: "timing",
            legend: EntryTexts.timing,
            [
                .init("fixed", EntryTexts.fixed), .init("flexible", EntryTexts.flexible),
                .init("someday", EntryTexts.someday),
            ],
            value: form.timing.rawValue,
            isSegmented: true
        )
    }

    func fields(_ form: EntryForm) -> EntryFields {
        var choice: Field?
        if !form.place.choices.isEmpty {
            choice = form.field(
                "place-choice",
                EntryTexts.several,
                "",
                .oneOf(form.place.choices)
            )
        }
        var title = form.field("title", EntryTexts.name, form.title)
        title.isRequired = true
        title.icon = .edit
        var place = form.field(
            "place",
            EntryTexts.place,
            form.place.text,
            .text,
            form.isPartlyCovered ? EntryTexts.partlyCovered : EntryTexts.placeHint
        )
        place.icon = .pin
        return EntryFields(
            title: title,
            timing: [
                form.field("day", EntryTexts.date, form.day, .date),
                form.field("start", EntryTexts.start, form.start, .time),
                form.field("end", EntryTexts.end, form.end, .time),
                form.field("minutes", EntryTexts.minutes, form.minutes, .number),
                form.field("least", EntryTexts.least, form.least, .number, EntryTexts.leastHint),
                form.field("piece", EntryTexts.piece, form.piece, .number, EntryTexts.pieceHint),
            ],
            place: place,
            choice: choice,
            repetition: repetition(form),
            kind: kind(form),
            travel: travel(form),
            notes: form.field("notes", EntryTexts.notes, form.notes, .longText)
        )
    }

    private func repetition(_ form: EntryForm) -> [Field] {
        [
            form.field(
                "repeat",
                EntryTexts.repeat,
                form.frequency.rawValue,
                .choice(repetitions(form))
            ),
            form.field(
                "days",
                EntryTexts.days,
                form.days.sorted().map { EntryRepetition.weekdayNames[Int($0)] }
                    .joined(separator: ","),
                .several(Array(zip(EntryRepetition.weekdayNames, LaterTexts.weekdays))),
                EntryTexts.daysHint
            ),
            form.field("times", EntryTexts.times, form.times, .number, EntryTexts.timesHint),
            form.field("until", EntryTexts.until, form.until, .date, EntryTexts.untilHint),
            form.field("last", EntryTexts.lastDate, form.lastDay, .date, EntryTexts.lastDateHint),
        ]
    }

    private func kind(_ form: EntryForm) -> [Field] {
        [
            form.field(
                "category",
                EntryTexts.kind,
                form.category.rawValue,
                EntryCategory.choice
            ),
            form.field(
                "belongs",
                EntryTexts.belongs,
                Belonging(isWork: form.isWork).rawValue,
                Belonging.choice
            ),
        ]
    }

    private func travel(_ form: EntryForm) -> [Field] {
        let names = form.templates.map(\.name)
        let own = form.template.isEmpty || names.contains(form.template) ? [] : [form.template]
        let template = form.field(
            "template",
            EntryTexts.template,
            form.template,
            .choice([("", EntryTexts.noTemplate)] + (names + own).map { ($0, Text(same: $0)) }),
            EntryTexts.templateHint
        )
        return (names.isEmpty && own.isEmpty ? [] : [template]) + [
            form.field("lead", EntryTexts.lead, form.lead, .number),
            form.field(
                "notices",
                EntryTexts.notices,
                form.hasNotices ? "on" : "off",
                .oneOf([("on", EntryTexts.noticesOn), ("off", EntryTexts.noticesOff)])
            ),
            form.field(
                "means",
                EntryTexts.means,
                form.means.value,
                TravelMeans.choice(hasRentals: travel.hasRentals, form.means),
                EntryTexts.meansHint
            ),
            form.field(
                "aim",
                EntryTexts.aim,
                form.aim?.rawValue ?? "",
                .choice(SettingsForm.aims),
                EntryTexts.aimHint
            ),
            form.field(
                "rain",
                EntryTexts.rain,
                form.avoidsRain ? "dry" : "",
                .several([("dry", EntryTexts.dry)])
            ),
            form.field(
                "overlapping",
                EntryTexts.overlapping,
                form.exclusivity.rawValue,
                .choice(EntryExclusivity.allCases.map { ($0.rawValue, $0.text) })
            ),
        ]
    }

    /// How often an entry may be; a rule of another program stays if there is one.
    private func repetitions(_ form: EntryForm) -> [(value: String, label: Text)] {
        EntryRepetition.Frequency.allCases
            .filter { $0 != .other || form.frequency == .other }
            .map { ($0.rawValue, $0.text) }
    }

    /// The further questions, each folded to a line.
    func rows(
        _ form: EntryForm,
        _ fields: EntryFields,
        _ target: EntryTarget,
        _ context: RequestContext
    ) -> [FoldedRow] {
        let lead = Int64(form.lead).map { [EntryTexts.leadFact($0)] } ?? []
        let means = form.means.inOrder.map(\.text)
        let template = form.template.isEmpty ? [] : [Text(same: form.template)]
        let aim = SettingsForm.aims.filter { $0.value == form.aim?.rawValue }.map(\.label)
        let travel =
            template + (means.isEmpty ? [EntryTexts.anyMeans] : means) + aim + lead
            + (form.avoidsRain ? [EntryTexts.dry] : [])
            + (form.hasNotices ? [] : [EntryTexts.noticesOff])
        let belongs = form.isWork.map { [$0 ? EntryTexts.work : EntryTexts.personal] } ?? []
        func say(_ texts: [Text]) -> HTML {
            "\(texts.map(context.say).joined(separator: ", "))"
        }
        var rows = [
            FoldedRow(
                .refresh,
                EntryTexts.repeat,
                value: say([form.frequency.text] + form.dayNames),
                fields: target.isSingle ? fields.repetition.suffix(1) : fields.repetition,
                context
            ),
            FoldedRow(
                .route,
                EntryTexts.travel,
                value: say(travel),
                fields: fields.travel,
                context
            ),
            FoldedRow(
                .star,
                EntryTexts.kind,
                value: say([form.category.text] + belongs),
                fields: fields.kind,
                context
            ),
            FoldedRow(
                .message,
                EntryTexts.notes,
                value: "\(String(form.notes.prefix(20)))",
                fields: [fields.notes],
                context
            ),
        ]
        if target.isSingle {
            rows[0].label = EntryTexts.lastDate
            let last = WrittenReading.day(form.lastDay).map { LaterTexts.weekdayAndDay($0) }
            rows[0].value = "\(context.say(last ?? EntryTexts.sameDay))"
        }
        return rows
    }
}

extension EntryForm {
    /// The days of the week of an entry, or those that were chosen for it.
    fileprivate var dayNames: [Text] {
        let shown = frequency == .weekly ? days : frequency == .timesAWeek ? chosenDays : []
        return shown.sorted().map { LaterTexts.weekdays[Int($0)] }
    }

    /// A field of the form, which may stay empty.
    fileprivate func field(
        _ name: String,
        _ label: Text,
        _ value: String,
        _ kind: Field.Kind = .text,
        _ hint: Text? = nil
    ) -> Field {
        var field = Field(
            name: name,
            label: label,
            kind: kind,
            hint: hint,
            value: value,
            error: problems[name],
            isRequired: false
        )
        field.hidesOptional = true
        return field
    }
}
