import HTTPTypes
import Identity
package import Localization
import Markup
import Synchronization
import TaxiPages
package import WebCore

/// A function of the console, as listed on its home page and in the breadcrumb.
package struct ConsoleSection: Sendable {
    package let icon: Icon
    /// The path of the function's first page.
    package let path: StaticString
    /// The access level of that page's route.
    package let access: Access
    package let title: Text
    /// A description of the function.
    package let text: Text

    /// All functions; those that a person may not use are hidden.
    static let all: [ConsoleSection] = [
        ConsoleSection(
            icon: .map,
            path: "/console/operations",
            access: .staff,
            title: ConsoleTexts.liveOperations,
            text: ConsoleTexts.liveOperationsDetail
        ),
        ConsoleSection(
            icon: .chart,
            path: "/console/statistics",
            access: .staff,
            title: StatisticsTexts.title,
            text: ConsoleTexts.waitsRequestsWithoutATaxi
        ),
        ConsoleSection(
            icon: .check,
            path: "/console/setup",
            access: .administrator,
            title: ConsoleTexts.setUp,
            text: ConsoleTexts.fromNothingToAnOpen
        ),
        ConsoleSection(
            icon: .area,
            path: "/console/zones",
            access: .administrator,
            title: ConsoleTexts.zones,
            text: ConsoleTexts.drawCorrectImportAndPublish
        ),
        ConsoleSection(
            icon: .taxi,
            path: "/console/drivers",
            access: .staff,
            title: ConsoleTexts.driversAndTaxis,
            text: ConsoleTexts.enterDriversCheckLicencesSuspend
        ),
        ConsoleSection(
            icon: .upload,
            path: "/console/import",
            access: .graveAdministrator,
            title: ConsoleTexts.importOfTheOldSystem,
            text: ConsoleTexts.takeOverDriversPassengers
        ),
        ConsoleSection(
            icon: .rules,
            path: "/console/policy",
            access: .staff,
            title: ConsoleTexts.rulesOfTheService,
            text: ConsoleTexts.howTaxisAreOfferedReserved
        ),
        ConsoleSection(
            icon: .coin,
            path: "/console/tariffs",
            access: .staff,
            title: ConsoleTexts.tariffs,
            text: ConsoleTexts.tariffsDetail
        ),
        ConsoleSection(
            icon: .pause,
            path: "/console/suspension",
            access: .staff,
            title: ConsoleTexts.suspensionOfTheService,
            text: ConsoleTexts.suspensionDetail
        ),
        ConsoleSection(
            icon: .people,
            path: "/console/people",
            access: .administrator,
            title: ConsoleTexts.peopleAndRoles,
            text: ConsoleTexts.findPeopleGiveAndTake
        ),
        ConsoleSection(
            icon: .star,
            path: "/console/feedback",
            access: .staff,
            title: ConsoleTexts.ratingsReportsAppeals,
            text: ConsoleTexts.whatPassengersSayOfRides
        ),
        ConsoleSection(
            icon: .plug,
            path: "/console/apps",
            access: .administrator,
            title: ConsoleTexts.applicationsOfOthers,
            text: ConsoleTexts.applicationsDetail
        ),
        ConsoleSection(
            icon: .book,
            path: "/console/audit",
            access: .administrator,
            title: ConsoleTexts.logOfActs,
            text: ConsoleTexts.auditLogDetail
        ),
        ConsoleSection(
            icon: .disk,
            path: "/console/backups",
            access: .administrator,
            title: ConsoleTexts.backups,
            text: ConsoleTexts.backupsDetail
        ),
        ConsoleSection(
            icon: .refresh,
            path: "/console/feeds",
            access: .staff,
            title: FeedsTexts.title,
            text: FeedsTexts.whatVehiclesWeatherAndStrikes
        ),
        ConsoleSection(
            icon: .lines,
            path: "/console/logging",
            access: .graveAdministrator,
            title: ConsoleTexts.technicalLog,
            text: ConsoleTexts.technicalLogDetail
        ),
    ]
}

extension ConsolePages {
    /// The functions of the console that the visitor may use.
    package func consoleSections(_ context: RequestContext) -> [ConsoleSection] {
        ConsoleSection.all.filter { context.mayUse($0.access) }
    }

    /// The tiles that link to functions.
    func consoleTiles(_ sections: [ConsoleSection], _ context: RequestContext) -> HTML {
        let tiles = sections.map { section -> HTML in
            """
            <li><a href=\(Address(section.path))>\(section.icon.html)<b>\
            \(context.say(section.title))\
            </b> <span>\(context.say(section.text))</span></a></li>
            """
        }
        return "<ul class=\"tiles\">\(tiles)</ul>"
    }
}
