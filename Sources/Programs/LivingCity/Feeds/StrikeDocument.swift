import Chronology

/// The strikes of the demo city as the Italian ministry registers them: one in the next seven days,
/// on the same day of each week.
struct StrikeDocument: Sendable {
    /// The name of the city, and of its province.
    let cityName: String
    /// The city's clocks.
    let zone: ZoneTable
    /// The seed that chooses the day of the week.
    let seed: UInt64

    /// The days of the week on which there may be strikes: Monday to Friday.
    private static let weekdayCount: UInt64 = 5

    /// The file of the register, which is made again each hour.
    var document: FeedDocument {
        FeedDocument(path: "/strikes.rss", type: "application/rss+xml", seconds: 3_600) {
            start,
            _ in
            Array(register(start).utf8)
        }
    }

    /// The day of the next strike, which may be today.
    private func nextDay(_ now: Instant) -> CivilDate {
        let today = LocalTime(now, in: zone).date
        let wanted = Int32(seed % Self.weekdayCount)
        return today.adding(days: (wanted - today.weekday + 7) % 7)
    }

    private func register(_ now: Instant) -> String {
        let day = nextDay(now)
        let date = Self.text(day)
        let called = Self.text(day.adding(days: -20))
        let midnight = LocalTime(date: day, second: 0).instant(in: zone)
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <rss version="2.0">
              <channel>
                <title>Elenco Scioperi in Programma</title>
                <description>Registro della città dimostrativa</description>
                <pubDate>\(Self.time(now))</pubDate>
                <item>
                  <title>Data inizio: \(date) - Settore: Trasporto pubblico locale - \
            Rilevanza: Locale - Regione: Emilia-Romagna - Provincia: \(cityName)</title>
                  <description><![CDATA[modalità: 4 ORE: DALLE 9.00 ALLE 13.00<br/>\
            Data fine: \(date)<br/>Settore: Trasporto pubblico locale<br/>Rilevanza: Locale<br/>\
            Regione: Emilia-Romagna<br/>Provincia: \(cityName)<br/>\
            Sindacati: OST FILT-CGIL/FIT-CISL/UILT-UIL<br/>Categoria interessata: PERSONALE SOC. \
            AZIENDA TRASPORTI \(cityName.uppercased())<br/>Data proclamazione: \(called)<br/>\
            Data ricezione: \(called)]]></description>
                  <pubDate>\(Self.time(midnight))</pubDate>
                  <guid>http://strikes.demo.example/\(day.daysSince1970)</guid>
                </item>
              </channel>
            </rss>

            """
    }

    /// A date such as `09/10/2026`.
    private static func text(_ date: CivilDate) -> String {
        date.iso8601.split(separator: "-").reversed().joined(separator: "/")
    }

    /// A time such as `Sat, 10 Oct 2026 13:35:08 +0000` (RFC 822).
    private static func time(_ moment: Instant) -> String {
        let time = LocalTime(moment, in: .utc)
        let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        let (year, month, day) = time.date.numbers
        return "\(weekdays[Int(time.date.weekday)]), \(day) \(months[Int(month) - 1]) \(year) "
            + "\(time.iso8601.suffix(8)) +0000"
    }
}
