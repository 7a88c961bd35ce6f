import CityData
import Encoding
import HTTPTypes
import Localization
import Markup
import TaxiPages
import TripPlanning
import WebCore

/// One trip, step by step: with its map, as a calendar file, and with legs replaced by others.
extension TravelPages {
    /// The greatest number of legs that can be changed.
    private static let mostChanges = 4

    var tripRoutes: [Route] {
        let fields: [InputField] = [
            .trip, .path("option", .text(120), "The trip, of those that answer the question."),
            .query(
                "change",
                .several(.text(140), Self.mostChanges),
                "The number of a leg and what replaces it, in the order of travel."
            ),
        ]
        return [
            .get("/plan/{trip}/{option}", as: "plan.trip", for: .everybody, showTrip)
                .taking(fields)
                .answering(.page, .redirect),
            .get("/plan/{trip}/{option}/map.svg", as: "plan.trip.map.svg", for: .everybody) {
                context in
                let (question, option) = try await found(context)
                return try picture(of: scene(question, option.steps), context)
            }
            .taking(fields)
            .answering(.picture),
            .get(
                "/plan/{trip}/{option}/calendar.ics",
                as: "plan.trip.calendar",
                for: .everybody,
                downloadEvent
            )
            .taking(fields)
            .answering(.file("text/calendar")),
            .get("/plan/{trip}/{option}/legs/{leg}", as: "plan.trip.leg", for: .everybody, showLegs)
                .taking(fields + [.path("leg", .number(0...99), "The number of the leg.")])
                .answering(.page, .redirect),
        ]
    }

    private func showTrip(_ context: RequestContext) async throws -> Response {
        let question = try asked(context)
        do {
            guard let option = try await option(of: question, context) else {
                return response(gonePage(question, context), to: context)
            }
            return unlisted(response(tripPage(option, question, context), to: context))
        } catch is TripFailure {
            // The page of the answer explains the reason.
            return .redirect(to: address(of: question))
        }
    }

    /// The question and the trip in the address.
    ///
    /// - Throws: `Failure.notFound` if there is no such trip any more.
    func found(_ context: RequestContext) async throws -> (TripQuestion, TripOption) {
        let question = try asked(context)
        do {
            guard let option = try await option(of: question, context) else {
                throw Failure.notFound
            }
            return (question, option)
        } catch is TripFailure {
            throw Failure.notFound
        }
    }

    /// The trip in the address, with the chosen changes; nil if it is no longer in the timetable.
    private func option(
        of question: TripQuestion,
        _ context: RequestContext
    ) async throws -> TripOption? {
        let answer = try await answer(question, context)
        guard var option = answer.option(context.parameters["option"] ?? "") else { return nil }
        for change in changes(context) {
            guard let changed = try await changed(option, by: change, question, context) else {
                return nil
            }
            option = changed
        }
        return option
    }

    /// The changes in the address; any that no page offers are ignored.
    func changes(_ context: RequestContext) -> [LegChange] {
        context.query.all("change").compactMap(LegChange.init)
    }

    /// The address of a part of a trip, with the same changes and possibly another one.
    ///
    /// - Parameters:
    ///   - parts: the last parts of the path.
    ///   - changes: the changes of the trip.
    ///   - context: the visitor's request.
    /// - Returns: the address.
    func tripAddress(
        _ parts: String...,
        changes: [LegChange],
        _ context: RequestContext
    ) -> Address {
        let all = [context.parameters["trip"] ?? "", context.parameters["option"] ?? ""] + parts
        let path = all.map { PercentEncoding.encoded($0) }.joined(separator: "/")
        let query = changes.map { "change=\(PercentEncoding.encoded($0.text))" }
        let mark = query.isEmpty ? "" : "?"
        return Address(withinServer: "/plan/\(path)\(mark)\(query.joined(separator: "&"))")
            ?? JourneyForm.plan.address
    }

    private func gonePage(_ question: TripQuestion, _ context: RequestContext) -> Page {
        var page = message(
            TripPageTexts.gone,
            icon: .route,
            TripPageTexts.goneLead,
            action: Button(TripPageTexts.all, .link(address(of: question)), look: .primary),
            context
        )
        page.status = .notFound
        return page
    }
}
