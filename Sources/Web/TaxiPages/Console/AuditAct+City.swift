import Drivers
package import Identity

/// Audited actions that no other module defines.
///
/// The audit trail stores the raw values, so they must never change.
extension AuditAct {
    package static let enterReservations = Self(rawValue: "enter reservations")
    package static let undoReservations = Self(rawValue: "undo reservations")
    package static let enterRides = Self(rawValue: "enter rides")
    package static let openService = Self(rawValue: "open the service")
    package static let suspendService = Self(rawValue: "suspend the service")
    package static let resumeService = Self(rawValue: "resume the service")
    package static let adoptPolicy = Self(rawValue: "adopt policy")
    package static let changeTariffs = Self(rawValue: "change tariffs")
    package static let importZones = Self(rawValue: "import zones")
    package static let discardZoneDraft = Self(rawValue: "discard zone draft")
    package static let publishZones = Self(rawValue: "publish zones")
    package static let rollBackZones = Self(rawValue: "roll back zones")
    package static let setLogLevels = Self(rawValue: "set log levels")
    package static let addFeed = Self(rawValue: "add live feed")
    package static let changeFeed = Self(rawValue: "change live feed")
    package static let stopFeed = Self(rawValue: "stop live feed")
    package static let startFeed = Self(rawValue: "start live feed")
    package static let removeFeed = Self(rawValue: "remove live feed")
    package static let addWebhook = Self(rawValue: "add webhook")
    package static let changeWebhook = Self(rawValue: "change webhook")
    package static let removeWebhook = Self(rawValue: "remove webhook")
    package static let replaceWebhookSecret = Self(rawValue: "replace webhook secret")
    package static let openWebhook = Self(rawValue: "open webhook")
    package static let sendWebhook = Self(rawValue: "send webhook")
    package static let makeBackup = Self(rawValue: "make backup")
    package static let decideAppeal = Self(rawValue: "decide appeal")
    package static let assignTaxi = Self(rawValue: "assign taxi")
    package static let holdRequest = Self(rawValue: "hold request")
    package static let releaseRequest = Self(rawValue: "release request")
    package static let replaceTaxi = Self(rawValue: "replace taxi")
    package static let cancelRequest = Self(rawValue: "cancel request")
    package static let endRide = Self(rawValue: "end ride")
    package static let restoreTurn = Self(rawValue: "restore turn")
    package static let takeOffDuty = Self(rawValue: "take off duty")
    package static let callTaxi = Self(rawValue: "call taxi")
    package static let notifyDrivers = Self(rawValue: "notify drivers")
    package static let withdrawNotice = Self(rawValue: "withdraw notice")
    package static let restrictStreet = Self(rawValue: "restrict street")
    package static let reopenStreet = Self(rawValue: "reopen street")

    /// All audited actions of this version.
    package static let allCases: [AuditAct] = [
        .createAdministrator, .setRoles, .suspend, .resume, .enterPassengers, .registerApplication,
        .changeApplication, .rotateApplicationKey, .revokeApplication, .connectApplication,
        .disconnectApplication, .endReusedGrant, .connectSignIn, .disconnectSignIn, .enterDrivers,
        .changeDriver, .removeDriver, .inviteDriver, .verifyDriver, .refuseDriver,
        .enterReservations, .undoReservations, .enterRides, .openService, .suspendService,
        .resumeService, .adoptPolicy, .changeTariffs, .importZones, .discardZoneDraft,
        .publishZones, .rollBackZones, .setLogLevels, .makeBackup, .decideAppeal, .assignTaxi,
        .holdRequest, .releaseRequest, .replaceTaxi, .cancelRequest, .endRide, .restoreTurn,
        .takeOffDuty, .callTaxi, .notifyDrivers, .withdrawNotice, .addFeed, .changeFeed, .stopFeed,
        .startFeed, .removeFeed, .addWebhook, .changeWebhook, .removeWebhook,
        .replaceWebhookSecret, .openWebhook, .sendWebhook, .restrictStreet, .reopenStreet,
    ]
}
