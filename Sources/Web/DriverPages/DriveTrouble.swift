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

/// Why something was not done that a driver asked for, as he is told it.
struct DriveTrouble: Error, Hashable, Sendable {
    /// The status.
    var status = HTTPResponse.Status.conflict
    /// The name by which programs know it; the last part of the problem's type.
    var name: String
    /// What happened.
    var title: Text
    /// What to do next.
    var advice: Text
    /// Where that is done; the driver's page unless something else is said.
    var remedy = Remedy(address: Address("/drive"), label: DriveTexts.back)

    /// Where somebody can do something about trouble.
    struct Remedy: Hashable, Sendable {
        /// The page.
        var address: Address
        /// What the way there is called.
        var label: Text
    }

    /// Trouble of that name.
    init(_ name: String, _ title: Text, _ advice: Text) {
        self.name = name
        self.title = title
        self.advice = advice
    }
}

extension DriverPages {
    /// Trouble as a page, or as a problem (RFC 9457) for programs.
    ///
    /// - Parameters:
    ///   - trouble: what was not done.
    ///   - visit: who asked.
    ///   - standing: where the driver stands now, in a sentence.
    ///   - waits: whether the page gives way to the driver's own as soon as it is over.
    /// - Returns: the page or the problem, with the trouble's status.
    func reply(
        _ trouble: DriveTrouble,
        to visit: Visit,
        standing: Text? = nil,
        waits: Bool = false
    ) -> Reply {
        if visit.wantsJSON {
            let details = [visit.say(trouble.advice), standing.map(visit.say)].compactMap(\.self)
            return soon(
                problem(
                    trouble.name,
                    trouble.status,
                    visit.say(trouble.title),
                    details.joined(separator: " ")
                )
            )
        }
        let remedy = trouble.remedy
        // The driver's own page has no such element.
        let wait: HTML? = waits ? "<div id=\"drive-waits\" data-live=\"drive\"></div>" : nil
        var page = Page(
            trouble.title,
            body: """
                <h1>\(visit.say(trouble.title))</h1>
                \(standing.map { "<p class=\"lead\">\(visit.say($0))</p>" as HTML })
                <p>\(visit.say(trouble.advice))</p>
                <p class="actions"><a class="button primary drive" href=\(remedy.address)>\
                \(visit.say(remedy.label))</a></p>
                \(wait)
                """
        )
        page.status = trouble.status
        return soon(reply(page, to: visit))
    }

    /// Says when to try again what could not be done for now.
    private func soon(_ reply: Reply) -> Reply {
        var reply = reply
        if reply.status == .serviceUnavailable { reply.headers[.retryAfter] = "5" }
        return reply
    }

    /// What a driver at the wheel is refused, with where he stands now.
    func refused(_ trouble: DriveTrouble, _ visit: Visit) async -> Reply {
        // Who has lost the seat meanwhile is told so by the next page.
        let view = try? await seat(visit).view
        return reply(trouble, to: visit, standing: view.map { DriveStanding($0).sentence })
    }
}

extension DriveTrouble {
    /// What could not be done for a reason that no rule gave (R18, R36); nil where another server
    /// serves.
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
                DrivingTexts.lookAtYourPageWhether
            )
        }
    }
}

extension SeatObstacle {
    /// What somebody without a seat is told, with what to do.
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
                DrivingTexts.youShareThisTaxiAnd
            )
            trouble.remedy.label = DriveTexts.again
        }
        return trouble
    }
}

extension DrivingObstacle {
    /// What to do about it.
    fileprivate var advice: Text {
        switch self {
        case .noDriver:
            DrivingTexts.thisPageIsForTaxi
        case .account:
            DrivingTexts.yourAccountIsNotConfirmed
        case .awaitingVerification:
            DrivingTexts.theCityHasNotLooked
        case .refused:
            DrivingTexts.theCityDidNotAccept
        case .taxiLicenceExpired(let day):
            DrivingTexts.yourTaxiLicenceEndedOn("\(day.iso8601)")
        case .drivingLicenceExpired(let day):
            DrivingTexts.yourDrivingLicenceEndedOn("\(day.iso8601)")
        }
    }

    /// Where that is done.
    fileprivate var remedy: DriveTrouble.Remedy {
        switch self {
        case .noDriver, .account:
            DriveTrouble.Remedy(address: Address("/dashboard"), label: CommonTexts.dashboard)
        default:
            DriveTrouble.Remedy(address: Address("/account/papers"), label: CommonTexts.papers)
        }
    }
}
