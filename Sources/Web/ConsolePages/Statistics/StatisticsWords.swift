import Localization
import Taxi
import TaxiPages

/// The words of the page of statistics.
enum StatisticsWords {
    static let title = Text("Statistics", "Statistiche")
    static func titled(_ day: String, _ zone: String?) -> Text {
        let place = zone.map { ", \($0)" } ?? ""
        return Text("Statistics of \(day)\(place)", "Statistiche del \(day)\(place)")
    }
    static let asOf = Text("Added up at", "Calcolate il")
    static let counted = Text(
        "A request counts in the hour in which it was asked for, a reservation in that for which "
            + "it was, an offer in the hour in which it was made. A wait lasts until the taxi is "
            + "at the meeting point.",
        "Una richiesta conta nell'ora in cui è stata fatta, una prenotazione in quella per cui "
            + "vale, una proposta nell'ora in cui è stata fatta. L'attesa dura finché il taxi è al "
            + "punto d'incontro."
    )
    static let nothing = Text(
        "Nothing was asked for on this day.",
        "In questo giorno non è stato chiesto nulla."
    )
    static let byHour = Text("By hour", "Per ora")
    static let byZone = Text("By zone", "Per zona")
    static func onlyBusiest(_ count: Int) -> Text {
        Text(
            "Only the \(count) zones with most requests are shown; the file has all.",
            "Sono mostrate solo le \(count) zone con più richieste; il file le ha tutte."
        )
    }
    static let file = Text(
        "All zones and hours of this day as a table (CSV)",
        "Tutte le zone e le ore del giorno come tabella (CSV)"
    )
    static let before = Text("The day before", "Il giorno prima")
    static let after = Text("The day after", "Il giorno dopo")
    static let allZones = Text("All zones", "Tutte le zone")
    static let otherDays = Text("Other days", "Altri giorni")
    static let day = Text("Day", "Giorno")
    static let dayHint = Text("Such as 2026-11-30.", "Come 2026-11-30.")
    static let badDay = Text(
        "Write a day that has begun, such as 2026-11-30.",
        "Scrivi un giorno già iniziato, come 2026-11-30."
    )
    static let show = Text("Show this day", "Mostra il giorno")
    static let hour = Text("Hour", "Ora")
    static func again(_ time: String) -> Text {
        Text("\(time) (second time)", "\(time) (seconda volta)")
    }

    // MARK: The figures

    static let requests = Text("Requests", "Richieste")
    static let served = Text("Driven", "Effettuate")
    static let unserved = Text("Without a taxi", "Senza taxi")
    static let givenUp = Text("Cancelled or nobody there", "Annullate o nessuno presente")
    static let meanWait = Text("Mean wait", "Attesa media")
    static let medianWait = Text("Half waited at most", "Metà ha atteso al massimo")
    static let longWait = Text("95% waited at most", "Il 95% ha atteso al massimo")
    static let acceptance = Text("Offers accepted", "Proposte accettate")
    static let meanError = Text("Promised arrivals wrong by", "Errore degli arrivi promessi")
    static let within10 = Text(
        "There within 10 min of the promise",
        "Arrivati entro 10 min dal promesso"
    )
    static let within20 = Text(
        "There within 20 min of the promise",
        "Arrivati entro 20 min dal promesso"
    )
    static let evenly = Text("How evenly rides fell", "Equità delle corse")
    static func fairness(_ drivers: Int, _ gini: Double) -> Text {
        Text(
            "taxis that were asked: \(drivers); Gini \(decimal(gini, ".")) (0: all had as many)",
            "taxi interpellati: \(drivers); Gini \(decimal(gini, ",")) (0: tutti uguali)"
        )
    }
    static let gini = Text("Gini of the rides", "Gini delle corse")
    static func gini(_ value: Double) -> Text {
        Text(decimal(value, "."), decimal(value, ","))
    }

    /// A number from 0 to 1 with some digits after the mark.
    static func decimal(_ value: Double, _ mark: String, digits: Int = 2) -> String {
        let unit = (0..<digits).reduce(1) { power, _ in power * 10 }
        let rounded = Int((value * Double(unit)).rounded())
        let rest = "\(rounded % unit)"
        let zeros = String(repeating: "0", count: digits - rest.count)
        return "\(rounded / unit)\(mark)\(zeros)\(rest)"
    }

    static let passedOver = Text("Drivers passed over", "Tassisti superati")
    static func passed(_ rule: OfferRecord.Overtaking) -> Text {
        switch rule {
        case .tooSmall:
            Text("Passed over: taxi too small", "Superati: taxi troppo piccolo")
        case .askedBefore:
            Text("Passed over: asked before", "Superati: già interpellati")
        case .cameLater:
            Text(
                "Passed over: came after the search began",
                "Superati: arrivati a ricerca iniziata"
            )
        case .assigned:
            Text("Passed over: an operator chose", "Superati: scelta di un operatore")
        case .noRule:
            Text("Passed over without a rule", "Superati senza una regola")
        }
    }

    /// Seconds as minutes with a decimal.
    static func minutes(_ seconds: Double) -> Text {
        let tenths = Int64((abs(seconds) / 6).rounded())
        let sign = seconds < 0 && tenths > 0 ? "-" : ""
        return Text(
            "\(sign)\(tenths / 10).\(tenths % 10) min",
            "\(sign)\(tenths / 10),\(tenths % 10) min"
        )
    }

    static func percent(_ share: Double) -> Text {
        Text(same: "\(Int((share * 100).rounded()))%")
    }

    static func share(_ count: Int, of all: Int) -> Text {
        guard all > 0 else { return Text("none promised", "nessuno promesso") }
        let percent = percent(Double(count) / Double(all))
        return Text(
            "\(count) (\(percent.in(.english)))",
            "\(count) (\(percent.in(.italian)))"
        )
    }

    static let requestsByHour = Text(
        "Requests by hour; the dark part found no taxi",
        "Richieste per ora; la parte scura è rimasta senza taxi"
    )
    static let waitsByHour = Text(
        "Minutes of waiting by hour: 95% waited less than the light bar, half less than the dark",
        "Minuti di attesa per ora: il 95% sotto la barra chiara, metà sotto la scura"
    )
    static let errorsByHour = Text(
        "Minutes by which promised arrivals were wrong, by hour; the dark part is what taxis came "
            + "too late",
        "Minuti di errore degli arrivi promessi per ora; la parte scura è il ritardo dei taxi"
    )
    static let keptByHour = Text(
        "Percent there by hour: light within 20 minutes of the promise, dark within 10",
        "Percentuale di arrivi per ora: chiara entro 20 minuti dal promesso, scura entro 10"
    )
}
