import Chronology
import CityData
import Dispatching
import Encoding
import HTTPTypes
import Identity
import Localization
package import Markup
import Taxi
import TaxiPages
package import TripPlanning
package import WebCore

/// The trips that answer a question: a page that anybody with its address may open.
extension TravelPages {
    /// How long a visitor waits for an answer.
    private static let patience = Duration.seconds(10)
    /// The most people for whom a taxi is ordered; its own form offers as many.
    private static let mostSeats = 9

    var answerRoutes: [Route] {
        [
            .get("/plan/{trip}", as: "plan.answer", for: .everybody, showAnswer)
                .taking([.trip]),
            .get("/plan/{trip}/map.svg", as: "plan.answer.map.svg", for: .everybody, answerPicture)
                .taking([.trip])
                .answering(.picture),
            .post("/plan/{trip}/order", as: "plan.order", for: .everybody, orderTaxi)
                .taking([.trip])
                .answering(.redirect)
                .repeated(because: "it sets a cookie, which a kept answer would lack"),
        ]
    }

    /// The address of the answer to a question.
    func address(of question: TripQuestion) -> Address { Address("/plan", seal.seal(question)) }

    /// The address of a trip, of those that answer a question.
    package func address(of question: TripQuestion, option: String) -> Address {
        Address("/plan", seal.seal(question), option)
    }

    /// The question in the address.
    ///
    /// - Throws: `Failure.notFound` for an address that this server did not make.
    func asked(_ context: RequestContext) throws -> TripQuestion {
        guard !context.cities.isEmpty,
            var question = seal.open(context.parameters["trip"] ?? "")
        else {
            throw Failure.notFound
        }
        for place in [\TripQuestion.from, \TripQuestion.to]
        where [.stop, .station].contains(question[keyPath: place].kind) {
            question[keyPath: place] = known(question[keyPath: place], context)
        }
        question.language = context.language.rawValue
        return question
    }

    /// Answers a question, or finds the answer given a moment ago.
    ///
    /// - Parameters:
    ///   - question: the question.
    ///   - context: the request.
    /// - Returns: the options that people choose from.
    /// - Throws: `TripFailure` if there is no such trip; `Failure.tooMany`; `Failure.planningBusy`.
    package func answer(
        _ question: TripQuestion,
        _ context: RequestContext
    ) async throws -> TripAnswer {
        let cities = context.cities
        let key = "\(question.language ?? "")\n\(TripSeal.text(question))"
        return try await answered(key, from: recent, context) {
            deadline async throws(TripFailure) in
            var question = question
            if question.modes.taxi { question.modes.taxi = await hasTaxis() }
            return try await cities.answer(question, deadline: deadline)
        }
    }

    /// Finds an answer that was given a moment ago from the same files, or lets it be computed.
    ///
    /// - Parameters:
    ///   - question: identifies the question among recent ones.
    ///   - recent: the answers given a moment ago.
    ///   - context: the visitor's request.
    ///   - find: computes the answer by a deadline.
    /// - Returns: the answer.
    /// - Throws: `TripFailure` if there is none; `Failure.tooMany`; `Failure.planningBusy`.
    func answered<Answer: Sendable>(
        _ question: String,
        from recent: RecentAnswers<Answer>,
        _ context: RequestContext,
        _ find: (_ deadline: ContinuousClock.Instant) async throws(TripFailure) -> Answer
    ) async throws -> Answer {
        let key = "\(context.cities.epoch) \(question)"
        if let answer = recent.answer(to: key, at: context.now) { return answer }
        let group = ClientAddress(context.address).group
        if let seconds = rate.take(from: group, at: context.now) {
            throw Failure.tooMany(retryAfter: seconds)
        }
        let answer: Answer
        do throws(TripFailure) {
            answer = try await find(.now + Self.patience)
        } catch {
            switch error {
            case .busy, .deadline, .cancelled: throw Failure.planningBusy
            case .outside, .betweenCities, .noWay, .tooFar, .outsideTimetable, .excluded,
                .disrupted:
                throw error
            }
        }
        recent.keep(answer, to: key, at: context.now)
        return answer
    }

    /// Whether taxis can be ordered now.
    ///
    /// Before the opening (R4), while the service is suspended (R12) and on a standby server, trips
    /// are planned without taxis.
    private func hasTaxis() async -> Bool {
        (try? await taxi.dispatch.read { $0.isSetUp && $0.suspension == nil }) ?? false
    }

    private func showAnswer(_ context: RequestContext) async throws -> Response {
        let question = try asked(context)
        let page: Page
        do {
            page = try await answerPage(try await answer(question, context), context)
        } catch let failure as TripFailure {
            page = try await failurePage(failure, question, context)
        }
        return unlisted(response(page, to: context))
    }

    /// A response that search engines do not list.
    func unlisted(_ response: Response) -> Response {
        var response = response
        response.headers[.robotsTag] = "noindex, nofollow"
        return response
    }

    private func answerPicture(_ context: RequestContext) async throws -> Response {
        let question = try asked(context)
        let best = try? await answer(question, context).best
        return try picture(of: scene(question, best?.steps ?? []), context)
    }

    /// Redirects to the order of a taxi, filled in with the two ends and the time.
    private func orderTaxi(_ context: RequestContext) async throws -> Response {
        let question = try asked(context)
        let asked = draft(of: question, context)
        var draft = draft(context) ?? OrderDraft()
        draft.wishes = asked.wishes
        draft.hasWheelchair = question.wheelchair
        if question.party > 1 { draft.seats = UInt8(min(question.party, Self.mostSeats)) }
        draft.later = nil
        if !question.isArriveBy, let travel = asked.travel, travel.when == .leave,
            question.time > Instant(context.now)
        {
            draft.later = OrderDraft.Later(day: travel.day, time: travel.time)
        }
        return Response.redirect(to: JourneyForm.order.address)
            .setting(orderCookie(draft, context))
    }

    /// The form filled in with a question.
    func draft(of question: TripQuestion, _ context: RequestContext) -> OrderDraft {
        var draft = OrderDraft(hasWheelchair: question.wheelchair)
        (draft[.from], draft[.to]) = (wish(question.from), wish(question.to))
        var travel = OrderDraft.Travel()
        setTime(of: &travel, to: question.time, isArriveBy: question.isArriveBy, context)
        let modes = question.modes
        travel.means = Set(
            modes.kinds.compactMap { OrderDraft.Travel.Means(rawValue: $0.rawValue) }
        )
        travel.setRules(of: question)
        travel.setCosts(of: question)
        travel.walkMetres = question.maxWalkMetres
        travel.changes = question.maxTransfers <= 2 ? question.maxTransfers : nil
        draft.travel = travel
        return draft
    }

    /// A place as the entry of a form; empty if its position is unknown.
    func wish(_ place: ResolvedPlace) -> OrderDraft.Wish {
        guard let at = place.coordinate else { return OrderDraft.Wish() }
        return OrderDraft.Wish(
            typed: String(place.name.prefix(OrderDraft.Wish.limit)),
            place: ChosenPlace(at, words: place.name)
        )
    }

    /// Fills in a time, unless it is the current one.
    func setTime(
        of travel: inout OrderDraft.Travel,
        to time: Instant,
        isArriveBy: Bool,
        _ context: RequestContext
    ) {
        let distance = time.seconds - Instant(context.now).seconds
        guard isArriveBy || !(-120...60).contains(distance) else { return }
        travel.when = isArriveBy ? .arrive : .leave
        travel.day = LocalTime(time, in: web.settings.zoneTable).date.iso8601
        travel.time = clockTime(time)
    }
    /// An instant as a moment.
    func moment(_ instant: Instant) -> Moment {
        Moment(milliseconds: instant.seconds * 1_000)
    }
}

extension Failure {
    /// The planner is working to capacity.
    static let planningBusy = Failure(
        "planning-busy",
        .serviceUnavailable,
        retryAfter: 5,
        title: TripsTexts.busyTitle,
        advice: TripsTexts.busyLead
    )
}

extension InputField {
    /// The question that a page answers, sealed.
    static let trip = path("trip", .opaque(TripSeal.limit), "The question, sealed.")
}
