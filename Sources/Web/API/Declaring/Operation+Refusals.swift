import Agenda
import Chronology
import Dispatching
import HTTPTypes
import Identity
import Localization
import Taxi
import TaxiPages
import TripPlanning
import WebCore

extension Operation {
    /// The refusal of a service as a program sees it: what pages say, in English.
    ///
    /// Errors that concern the city as a whole are left to the responder, which answers them as on
    /// pages.
    static func refusal(for error: any Error) -> any Error {
        switch error {
        case TaxiService.Failure.notYours, TaxiService.Failure.noReceipt, Refusal.noSuchRequest,
            AgendaFailure.noSuchEntry:
            return Failure.notFound
        case AgendaFailure.changedMeanwhile: return ProgramRefusal.calendarChanged
        case AgendaFailure.tooManyEntries(let limit):
            return ProgramRefusal(
                "calendar-full",
                .conflict,
                "The calendar is full",
                "It has at most \(limit) events: remove old ones first."
            )
        case AgendaFailure.tooLarge:
            return ProgramRefusal.field("notes", "too-long", "The event is too long.")
        case let failure as TaxiService.Failure where failure != .notServing:
            return ProgramRefusal(
                name(of: failure),
                .unprocessableContent,
                "The request was refused",
                failure.text.in(.english)
            )
        case let refusal as Refusal where refusal.failure == nil:
            return ProgramRefusal(
                name(of: refusal),
                .conflict,
                "The request was refused",
                refusal.text.in(.english)
            )
        case let failure as TripFailure: return refusal(for: failure)
        case let failure as AccountFailure where failure.failure == nil:
            return refusal(for: failure)
        default: return error
        }
    }

    private static func refusal(for failure: AccountFailure) -> any Error {
        if case .invalid(let problems) = failure {
            let fields = problems.map { problem in
                ProgramRefusal.Field(
                    problem.field.rawValue,
                    "refused",
                    problem.kind.text(for: problem.field).in(.english)
                )
            }
            return ProgramRefusal.fields(fields)
        }
        return ProgramRefusal(
            name(of: failure),
            failure == .tooManyFromNetwork ? .tooManyRequests : .unprocessableContent,
            "The request was refused",
            failure.text?.in(.english) ?? "It cannot be done now."
        )
    }

    private static func refusal(for failure: TripFailure) -> any Error {
        let detail: String
        switch failure {
        case .busy, .deadline, .cancelled: return Failure.busy(retryAfter: 5)
        case .outside(let place): detail = "\(place) lies outside the city."
        case .betweenCities(let from, let to):
            detail = "The ends lie in different cities, \(from) and \(to)."
        case .noWay: detail = "There is no way at that time with these preferences."
        case .excluded(let modes):
            // Moments are in the city's time elsewhere; the modes are enough here.
            detail = modes.map { "\($0.mode.name): \($0.reasonText(in: .utc))" }
                .joined(separator: "; ")
        case .disrupted(let disruptions):
            detail = disruptions.map { $0.text(in: .utc) }.joined(separator: "; ")
        case .tooFar: detail = "The trip takes longer than a day."
        case .outsideTimetable(let first, let last):
            detail = "The timetables cover \(first.iso8601) to \(last.iso8601)."
        }
        return ProgramRefusal(
            name(of: failure),
            .unprocessableContent,
            "There is no such trip",
            detail
        )
    }

    /// The name of a case as the last part of a problem's type: `origin-outside-city`.
    private static func name(of refusal: any Error) -> String {
        var name = ""
        for letter in "\(refusal)".prefix(while: { $0 != "(" }) {
            if letter.isUppercase { name += "-" }
            name += letter.lowercased()
        }
        return name
    }
}
