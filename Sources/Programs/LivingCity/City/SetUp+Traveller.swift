import Agenda
import Chronology
import CityData
import Encoding
import Identity
import OpenData
import TaxiPages
import WebApp
import Zones

extension SetUp {
    /// For how many weeks the traveller has done this already.
    static let weeksBefore: Int32 = 4

    /// Registers the traveller, whose calendar has a week with recurring work, unless there is one.
    func enterTraveller(_ zones: ZoneSet) async throws {
        let name = DemoAccount.traveller.userName
        guard try await accounts.findPerson(name) == nil,
            let person = try await register(.traveller)
        else { return }
        let places = middles(of: zones)
        guard let office = places.first, let home = places.last else { return }
        let agenda = installation.agenda
        var settings = TravelSettings()
        settings.base = SettingsPlace(home.label, at: home.coordinate)
        settings.means = Set(TravelMeans.allCases)
        try await agenda.keep(settings, of: person)
        let today = LocalTime(Instant(now), in: agenda.zone.table).date
        let week = Week(
            monday: today.adding(days: -Int32(today.weekday) - 7 * Self.weeksBefore),
            weeks: Self.weeksBefore,
            office: office,
            meeting: places[places.count / 2],
            sport: places[min(1, places.count - 1)]
        )
        let calendars = week.entries.enumerated().map { number, details in
            details.calendar(
                uid: "\(number)@demo.example",
                zone: agenda.zone,
                at: Instant(now)
            )
        }
        try await agenda.add(calendars, of: person)
    }

    /// What the traveller does from a Monday on.
    private struct Week {
        let monday: CivilDate
        /// How many weeks that is before this one.
        let weeks: Int32
        let office: AddressMatch
        let meeting: AddressMatch
        let sport: AddressMatch

        var entries: [EntryDetails] {
            var all = [
                work(fixed("Work", day: 0, 9, 0, 12, 30, at: office), repeated: .workdays),
                work(fixed("Work", day: 0, 15, 0, 17, 30, at: office), repeated: .workdays),
                lunch, gym(day: 1), gym(day: 3), medicine,
            ]
            var review = fixed("Design review", day: 1, 14, 0, 14, 40, at: meeting)
            review.repetition.frequency = .weekly
            review.category = .meeting
            review.isWork = true
            review.leadMinutes = 5
            all.append(review)
            var dinner = fixed("Dinner with Paolo", day: 4, 20, 0, 22, 0, at: meeting)
            dinner.category = .meal
            dinner.repetition.frequency = .fortnightly
            all.append(dinner)
            var lake = fixed("Trip to the lake", day: 5 + 7 * weeks, 9, 0, 18, 0, at: nil)
            lake.exclusivity = .transfer
            lake.category = .leisure
            lake.repetition.frequency = .monthly
            all.append(lake)
            var passport = EntryDetails(title: "Renew passport", timing: .someday)
            passport.category = .errand
            all.append(passport)
            return all
        }

        private func work(
            _ details: EntryDetails,
            repeated frequency: EntryRepetition.Frequency
        ) -> EntryDetails {
            var details = details
            details.repetition.frequency = frequency
            details.category = .meeting
            details.isWork = true
            // There is nowhere to park, so tickets add up, and a pass would pay (V98).
            details.means = [.walk, .transit]
            return details
        }

        private var lunch: EntryDetails {
            var lunch = flexible("Lunch", day: 0, (12, 30), (15, 0), minutes: 30, at: nil)
            lunch.repetition.frequency = .workdays
            lunch.category = .meal
            return lunch
        }

        private func gym(day: Int32) -> EntryDetails {
            var gym = flexible("Gym", day: day, (18, 0), (21, 30), minutes: 60, at: sport)
            gym.repetition.frequency = .weekly
            gym.category = .sport
            return gym
        }

        private var medicine: EntryDetails {
            var medicine = flexible(
                "Pick up medicine",
                day: 4,
                (12, 30),
                (19, 0),
                minutes: 10,
                at: nil
            )
            medicine.place = EntryPlace("farmacia", at: nil)
            medicine.repetition.frequency = .weekly
            medicine.category = .health
            return medicine
        }

        private func time(_ day: Int32, _ hour: Int32, _ minute: Int32) -> LocalTime {
            LocalTime(date: monday.adding(days: day), second: hour * 3_600 + minute * 60)
        }

        private func fixed(
            _ title: String,
            day: Int32,
            _ hour: Int32,
            _ minute: Int32,
            _ lastHour: Int32,
            _ lastMinute: Int32,
            at place: AddressMatch?
        ) -> EntryDetails {
            var details = EntryDetails(
                title: title,
                timing: .fixed(start: time(day, hour, minute), end: time(day, lastHour, lastMinute))
            )
            details.place = place.map { EntryPlace($0.label, at: $0.coordinate) }
            return details
        }

        private func flexible(
            _ title: String,
            day: Int32,
            _ from: (hour: Int32, minute: Int32),
            _ until: (hour: Int32, minute: Int32),
            minutes: Int64,
            at place: AddressMatch?
        ) -> EntryDetails {
            var details = EntryDetails(
                title: title,
                timing: .flexible(
                    from: time(day, from.hour, from.minute),
                    until: time(day, until.hour, until.minute),
                    minutes: minutes,
                    leastMinutes: minutes
                )
            )
            details.place = place.map { EntryPlace($0.label, at: $0.coordinate) }
            return details
        }
    }
}
