import Chronology
import Dispatching
import Drivers
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// An error shown to a driver whose action was not carried out.
struct DriveTrouble: Error, Hashable, Sendable {
    /// The HTTP response status.
    var status = HTTPResponse.Status.conflict
    /// The machine-readable error name: the last part of the problem type.
    var name: String
    /// A summary of what happened.
    var title: Text
    /// What the driver can do next.
    var advice: Text
    /// The page where the driver can do that; by default the driver's own page.
    var remedy = Remedy(address: Address("/drive"), label: DriveTexts.back)

    /// A link to a page where the problem can be resolved.
    struct Remedy: Hashable, Sendable {
        /// The address of the page.
        var address: Address
        /// The text of the link.
        var label: Text
    }

    /// Creates an error with the given name and texts.
    init(_ name: String, _ title: Text, _ advice: Text) {
        self.name = name
        self.title = title
        self.advice = advice
    }
}

extension DriverPages {
    /// Renders an error as a page, or as a problem (RFC 9457) for API clients.
    ///
    /// - Parameters:
    ///   - trouble: the error.
    ///   - context: the current HTTP request.
    ///   - standing: a sentence about the driver's current status.
    ///   - waits: whether to replace the page with the driver's own page once
    ///     the problem is resolved.
    /// - Returns: the page or the problem, with the status of the error.
    func response(
        _ trouble: DriveTrouble,
        to context: RequestContext,
        standing: Text? = nil,
        waits: Bool = false
    ) -> Response {
        if context.wantsJSON {
            let details = [context.say(trouble.advice), standing.map(context.say)].compactMap(
                \.self
            )
            return soon(
                problem(
                    trouble.name,
                    trouble.status,
                    context.say(trouble.title),
                    details.joined(separator: " ")
                )
            )
        }
        let remedy = trouble.remedy
        // The driver's own page has no such element, which ends the wait.
        let wait: HTML? = waits ? "<div id=\"drive-waits\" data-live=\"drive\"></div>" : nil
        var page = Page(
            trouble.title,
            body: """
                <section class="dialog"><h1>\(context.say(trouble.title))</h1>
                \(standing.map { "<p class=\"lead\">\(context.say($0))</p>" as HTML })
                <p>\(context.say(trouble.advice))</p>
                <p class="actions"><a class="button primary drive" href=\(remedy.address)>\
                \(context.say(remedy.label))</a></p></section>
                \(wait)
                """
        )
        page.status = trouble.status
        return soon(response(page, to: context))
    }

    /// Adds `Retry-After` where the failure is temporary.
    private func soon(_ response: Response) -> Response {
        var response = response
        if response.status == .serviceUnavailable { response.headers[.retryAfter] = "5" }
        return response
    }

    /// Renders an error with the driver's current status.
    func refused(_ trouble: DriveTrouble, _ context: RequestContext) async -> Response {
        // A driver who may no longer drive learns that from the next page.
        let view = try? await workingDriver(context).view
        return response(trouble, to: context, standing: view.map { DriveStanding($0).sentence })
    }
}

extension DriveTrouble {
    /// Describes a failure that was not caused by a rule (R18, R36); nil if another
    /// server runs the dispatcher.
    init?(_ failure: DispatchService.Failure) {
        switch failure {
        case .notServing: return nil
        case .busy, .notDurable:
            self.init(
                "try-again",
                DrivingTexts.thisWasNotDone,
                DrivingTexts.theServiceCouldNotTake
            )
            status = .serviceUnavailable
        case .outcomeUnknown, .keyUsedForAnother:
            self.init(
                "unknown-outcome",
                DrivingTexts.weDoNotKnowYet,
                DrivingTexts.checkBeforeRepeating
            )
        }
    }
}

extension DutyObstacle {
    /// The error shown to a person who cannot drive now, with what they can do.
    var trouble: DriveTrouble {
        var trouble: DriveTrouble
        switch self {
        case .papers(let obstacle):
            trouble = DriveTrouble(
                "may-not-drive",
                DrivingTexts.youCannotDriveNow,
                obstacle.advice
            )
            trouble.status = .forbidden
            trouble.remedy = obstacle.remedy
        case .notRegistered:
            trouble = DriveTrouble(
                "taxi-not-registered",
                DrivingTexts.yourTaxiIsBeingRegistered,
                DrivingTexts.yourPapersAreInOrder
            )
            trouble.remedy.label = DriveTexts.again
            trouble.status = .serviceUnavailable
        case .anotherDrives:
            trouble = DriveTrouble(
                "another-drives",
                DrivingTexts.somebodyElseDrivesYourTaxi,
                DrivingTexts.otherDriverOnShift
            )
            trouble.remedy.label = DriveTexts.again
        }
        return trouble
    }
}

extension DrivingObstacle {
    /// The advice on resolving the obstacle.
    fileprivate var advice: Text {
        switch self {
        case .noDriver:
            DrivingTexts.thisPageIsForTaxi
        case .account:
            DrivingTexts.yourAccountIsNotConfirmed
        case .awaitingVerification:
            DrivingTexts.papersNotChecked
        case .refused:
            DrivingTexts.theCityDidNotAccept
        case .taxiLicenceExpired(let day):
            DrivingTexts.taxiLicenceExpired(day)
        case .drivingLicenceExpired(let day):
            DrivingTexts.drivingLicenceExpired(day)
        }
    }

    /// The page where the obstacle can be resolved.
    fileprivate var remedy: DriveTrouble.Remedy {
        switch self {
        case .noDriver, .account:
            DriveTrouble.Remedy(address: Address("/dashboard"), label: CommonTexts.dashboard)
        default:
            DriveTrouble.Remedy(address: Address("/account/papers"), label: CommonTexts.papers)
        }
    }
}
