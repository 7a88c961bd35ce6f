package import Localization

extension SuspensionTexts {
    package static func effects(_ waiting: Int, _ reserved: Int, _ riding: Int) -> [Text] {
        [
            SuspensionTexts.requestsWithoutATaxiEnd(waiting),
            SuspensionTexts.reservationsStayUntilTheirHour(reserved),
            SuspensionTexts.passengersWhoAreBeingFetched(riding),
            SuspensionTexts.newRequestsRefused,
        ]
    }
    package static let notices: [String: Text] = [
        "suspended": SuspensionTexts.theServiceIsSuspended,
        "resumed": SuspensionTexts.serviceHasResumed,
    ]
}
