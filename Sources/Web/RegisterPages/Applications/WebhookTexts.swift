import Localization
import WebCore
import Webhooks

extension WebhookTexts {
    /// The notices after an act.
    static let notices: [String: Text] = [
        "added": wasAdded, "changed": wasChanged, "opened": wasOpened, "tested": wasTested,
        "sent": wasSent, "shut": isShut,
    ]
}

extension WebhookEvent.Kind {
    /// What happened, in words.
    var text: Text {
        switch self {
        case .rideFound: WebhookTexts.rideFound
        case .rideArrived: WebhookTexts.rideArrived
        case .rideLost: WebhookTexts.rideLost
        case .rideEnded: WebhookTexts.rideEnded
        case .planBroken: WebhookTexts.planBroken
        case .test: WebhookTexts.test
        }
    }
}

extension WebhookEndpoint.State {
    /// The state as a chip.
    var chip: StateChip {
        switch self {
        case .working: StateChip(WebhookTexts.working, icon: .check, tone: .good)
        case .failing: StateChip(WebhookTexts.failing, icon: .warning, tone: .bad)
        case .shut: StateChip(WebhookTexts.shut, icon: .close, tone: .bad)
        }
    }
}

extension WebhookDelivery.State {
    /// The state as a chip.
    var chip: StateChip {
        switch self {
        case .behind: StateChip(WebhookTexts.behind, icon: .clock, tone: .quiet)
        case .waiting: StateChip(WebhookTexts.waiting, icon: .clock, tone: .live)
        case .sending: StateChip(WebhookTexts.sending, icon: .refresh, tone: .live)
        case .delivered: StateChip(WebhookTexts.delivered, icon: .check, tone: .good)
        case .givenUp: StateChip(WebhookTexts.givenUp, icon: .close, tone: .bad)
        case .dropped: StateChip(WebhookTexts.dropped, icon: .close, tone: .quiet)
        }
    }
}

extension WebhookProblem {
    /// What is wrong, and what to write instead.
    var text: Text {
        switch self {
        case .badAddress: WebhookTexts.badAddress
        case .notEncrypted: WebhookTexts.notEncrypted
        case .noKinds: WebhookTexts.noEvents
        case .tooMany(let limit): WebhookTexts.tooMany(limit)
        case .isShut, .unknown: WebhookTexts.isShut
        }
    }
}
