package import Dispatching
package import Localization

/// The words of the question when.
package enum LaterWords {
    package static let when = Text("When", "Quando")
    package static let now = Text("Now", "Adesso")
    package static let later = Text("Reserve for later", "Prenota per più tardi")
    package static let needsAccount = Text(
        "To reserve you need an account; a taxi now needs none.",
        "Per prenotare serve un account; per un taxi adesso no."
    )
    package static let day = Text("Day", "Giorno")
    package static let time = Text("Time", "Ora")

    /// How far ahead one may reserve, as part of a sentence.
    private static func span(_ policy: Policy) -> Text {
        let least = length(policy[.reserveMin])
        let most = length(policy[.reserveMax])
        return Text(
            "at least \(least.in(.english)) and at most \(most.in(.english)) ahead",
            "con almeno \(least.in(.italian)) e al massimo \(most.in(.italian)) di anticipo"
        )
    }

    /// Whole days where it is many hours.
    package static func length(_ hours: Int64) -> Text {
        if hours == 1 { return Text("1 hour", "1 ora") }
        if hours > 48, hours % 24 == 0 {
            return Text("\(hours / 24) days", "\(hours / 24) giorni")
        }
        return Text("\(hours) hours", "\(hours) ore")
    }

    package static func limits(_ policy: Policy) -> Text {
        let span = span(policy)
        return Text(
            "Such as 2026-11-25; \(span.in(.english)).",
            "Per esempio 2026-11-25; \(span.in(.italian))."
        )
    }
    package static func clocks(_ now: String) -> Text {
        Text(
            "Such as 06:00, on the city's clocks, where it is \(now) now.",
            "Per esempio 06:00, ora della città, dove adesso sono le \(now)."
        )
    }

    package static let noDestination = Text(
        "Say where you are going: a reservation needs it.",
        "Di' dove vuoi andare: per una prenotazione serve."
    )
    package static let noDay = Text("Say on which day.", "Indica il giorno.")
    package static let badDay = Text(
        "There is no such day. Write one such as 2026-11-25.",
        "Questo giorno non esiste. Scrivine uno come 2026-11-25."
    )
    package static let noTime = Text("Say at what time.", "Indica l'ora.")
    package static let badTime = Text(
        "There is no such time. Write one such as 06:00.",
        "Quest'ora non esiste. Scrivine una come 06:00."
    )
    package static let past = Text(
        "That is past. Choose a later time, or call a taxi now.",
        "È già passato. Scegli un'ora successiva, o chiama un taxi adesso."
    )
    package static func tooSoon(_ policy: Policy, _ earliest: Text) -> Text {
        let least = length(policy[.reserveMin])
        return Text(
            "You reserve at least \(least.in(.english)) ahead: from \(earliest.in(.english)) on. "
                + "For a taxi before that choose Now.",
            "Si prenota con almeno \(least.in(.italian)) di anticipo: da "
                + "\(earliest.in(.italian)). Per un taxi prima scegli Adesso."
        )
    }
    package static func tooFar(_ policy: Policy, _ latest: Text) -> Text {
        let most = length(policy[.reserveMax])
        return Text(
            "You reserve at most \(most.in(.english)) ahead: until \(latest.in(.english)).",
            "Si prenota al massimo con \(most.in(.italian)) di anticipo: fino a "
                + "\(latest.in(.italian))."
        )
    }
    package static func skipped(_ typed: String, _ shown: String) -> Text {
        Text(
            "That night the clocks go forward and skip \(typed). What would have been \(typed) is "
                + "\(shown): write that, or another time.",
            "Quella notte gli orologi vanno avanti e saltano le \(typed). Le \(typed) diventano "
                + "le \(shown): scrivi quest'ora, o un'altra."
        )
    }
    /// After an hour that comes twice.
    package static let first = Text(" (the first time)", " (la prima volta)")
    package static let second = Text(" (the second time)", " (la seconda volta)")
    package static let which = Text("Which of the two", "Quale delle due")
    package static let firstTime = Text(
        "The first time, before the clocks go back",
        "La prima volta, prima che gli orologi tornino indietro"
    )
    package static let secondTime = Text(
        "The second time, after the clocks have gone back",
        "La seconda volta, dopo che gli orologi sono tornati indietro"
    )
    package static func twice(_ typed: String) -> Text {
        Text(
            "That night the clocks go back, and \(typed) comes twice. Choose which you mean.",
            "Quella notte gli orologi tornano indietro e le \(typed) vengono due volte. Scegli "
                + "quale intendi."
        )
    }

    package static let months = [
        Text("January", "gennaio"), Text("February", "febbraio"), Text("March", "marzo"),
        Text("April", "aprile"), Text("May", "maggio"), Text("June", "giugno"),
        Text("July", "luglio"), Text("August", "agosto"), Text("September", "settembre"),
        Text("October", "ottobre"), Text("November", "novembre"), Text("December", "dicembre"),
    ]
    package static let weekdays = [
        Text("Monday", "lunedì"), Text("Tuesday", "martedì"), Text("Wednesday", "mercoledì"),
        Text("Thursday", "giovedì"), Text("Friday", "venerdì"), Text("Saturday", "sabato"),
        Text("Sunday", "domenica"),
    ]
}
