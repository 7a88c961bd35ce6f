import Agenda
import Chronology
import CityData
import Crypto
import DayPlanning
import Encoding
import HTTPTypes
import Identity
import Localization
import OpenData
import TaxiPages
import TravelPages
import WebCore

/// The calendar as other programs see it that subscribe to its secret address: all entries, and
/// the journeys of the coming days. It is read-only.
extension CalendarPages {
    /// What an address ends with, after its token: some programs take only files of calendars.
    static let feedSuffix = ".ics"
    /// How many days the journeys cover, with today: all that a plan may (V54).
    static let feedDays: Int32 = 5
    /// How long the plans of all these days are waited for, in milliseconds; one that is not
    /// finished is in the next answer.
    private static let feedPatience: Int64 = 4_000
    /// How often programs should ask again (RFC 7986, 5.7).
    private static let feedInterval = "PT30M"

    var feedRoutes: [Route] {
        [
            .get("/calendar/feed/{token}", as: "calendar.feed", for: .anonymous, showFeed)
                .taking([
                    .path("token", .secret(64), "The token of the calendar's secret address.")
                ])
                .answering(.file("text/calendar"))
        ]
    }

    private func showFeed(_ context: RequestContext) async throws -> Response {
        let name = context.parameters["token"] ?? ""
        guard name.hasSuffix(Self.feedSuffix),
            let person = try await agenda.owner(
                ofAddress: String(name.dropLast(Self.feedSuffix.count))
            )
        else { throw Failure.notFound }
        if let seconds = exchange.feedRate.take(from: person, at: context.now) {
            throw Failure.tooMany(retryAfter: seconds)
        }
        let profile: Profile
        let entries: [AgendaEntry]
        do {
            profile = try await accounts.profile(of: person)
            entries = try await agenda.entries(of: person).entries
        } catch AccountFailure.noSuchPerson {
            // The key was destroyed.
            throw Failure.notFound
        }
        guard profile.standing == .active else { throw Failure.notFound }
        var context = context
        context.language = profile.language
        let plans = try await feedPlans(of: person, context)
        func bytes(written: Instant) -> [UInt8] {
            let added = plans.flatMap { events(of: $0, written: written, context) }
            return feed(Agenda.file(of: entries), added, context).bytes
        }
        // The time at which it was written is no news.
        let tag = SHA256.hash(data: bytes(written: Instant(seconds: 0))).prefix(16).hex
        var headers: HTTPFields = [.cacheControl: "private, no-store", .eTag: "W/\"\(tag)\""]
        headers[.referrerPolicy] = "no-referrer"
        headers[.robotsTag] = "noindex, nofollow"
        if context.headers[.ifNoneMatch]?.contains("\"\(tag)\"") == true {
            return Response(.notModified, headers: headers)
        }
        return Response(
            type: Self.calendarType,
            bytes: bytes(written: Instant(context.now)),
            headers: headers
        )
    }

    /// The plans of the coming days that are finished in time.
    private func feedPlans(
        of person: PersonNumber,
        _ context: RequestContext
    ) async throws -> [PlannedDay] {
        let today = cityDay(context.now)
        return try await withThrowingTaskGroup(of: PersonDay.self) { group in
            for offset in 0..<Self.feedDays {
                group.addTask {
                    try await day(
                        today.adding(days: offset),
                        of: person,
                        patience: Self.feedPatience,
                        context
                    )
                }
            }
            var days: [PersonDay] = []
            for try await day in group { days.append(day) }
            return days.sorted { $0.date < $1.date }.compactMap(\.plan)
        }
    }

    /// The journeys of a day, and its tasks at the times that were found for them.
    private func events(
        of plan: PlannedDay,
        written: Instant,
        _ context: RequestContext
    ) -> [ICalendarComponent] {
        JourneyEvents(plan, written: written).events { journey in
            switch journey.to {
            case .base, .here:
                context.say(FeedTexts.journeyHome(shortPlace(plan.input.base?.name ?? "")))
            case .vehicle(let kind): context.say(TimelineTexts.toVehicle(kind))
            case .task(let task): context.say(FeedTexts.journeyTo(plan.input.tasks[task].title))
            }
        } description: { journey in
            travel.lines(
                of: journey.trip,
                to: plan.place(of: journey.to)?.name ?? "",
                context
            )
            .joined(separator: "\n")
        } location: { journey in
            plan.place(of: journey.from)?.name
        }
    }

    /// A calendar with further events, and with what programs that subscribe to it need.
    private func feed(
        _ calendar: ICalendar,
        _ events: [ICalendarComponent],
        _ context: RequestContext
    ) -> ICalendar {
        let properties = [
            ICalendarProperty("NAME", text: context.say(FeedTexts.name)),
            ICalendarProperty("X-WR-CALNAME", text: context.say(FeedTexts.name)),
            ICalendarProperty(
                "REFRESH-INTERVAL",
                [ICalendarParameter("VALUE", "DURATION")],
                value: Self.feedInterval
            ),
            ICalendarProperty("X-PUBLISHED-TTL", value: Self.feedInterval),
        ]
        var components = calendar.components
        precondition(components.count == 1, "a file of entries is not one calendar")
        for property in properties { components[0].set(property) }
        components[0].entries += events.map { .component($0) }
        return ICalendar(components)
    }
}
