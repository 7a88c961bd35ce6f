package import Chronology

extension Moment {
    /// The date in UTC as in "Sat, 21 Nov 2026 12:36:45", without the zone.
    ///
    /// Mails append `+0000` (RFC 5322, 3.3) and HTTP responses `GMT` (RFC 9110, 5.6.7).
    package var internetDate: String {
        let local = LocalTime(Instant(seconds: flooredSeconds), in: .utc)
        let numbers = local.date.numbers
        let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        let clock = [local.second / 3_600, local.second / 60 % 60, local.second % 60]
            .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        let day = numbers.day < 10 ? "0\(numbers.day)" : "\(numbers.day)"
        return "\(days[Int(local.date.weekday)]), \(day) "
            + "\(months[Int(numbers.month) - 1]) \(numbers.year) \(clock)"
    }
}
