package import Dispatching
import Foundation

extension Notice {
    private struct Fields: Decodable {
        var kind: String
        var taxi: UInt32?
        var passenger: UInt64?
        var request: UInt64?
        var by: UInt32?
        var detail: UInt8?
    }

    /// Decodes the notice of an outbox item; nil for any other payload.
    package init?(payload: [UInt8]) {
        guard let fields = try? JSONDecoder().decode(Fields.self, from: Data(payload)),
            let kind = Kind(rawValue: fields.kind)
        else { return nil }
        let recipient: Recipient =
            if let taxi = fields.taxi {
                .driver(TaxiNumber(rawValue: taxi))
            } else if let passenger = fields.passenger {
                .passenger(PassengerNumber(rawValue: passenger))
            } else {
                .everybody
            }
        self.init(
            recipient: recipient,
            kind: kind,
            request: fields.request.map { RequestNumber(rawValue: $0) },
            taxi: fields.by.map { TaxiNumber(rawValue: $0) },
            detail: fields.detail ?? 0
        )
    }

    /// The outcome of the request or reservation that the notice is about; nil for other notices.
    package var outcome: RequestOutcome? {
        guard kind == .ended || kind == .reservationEnded, detail > 0 else { return nil }
        return RequestOutcome(rawValue: detail - 1)
    }

    /// The reason why the driver is off duty; nil for other notices.
    package var offDuty: OffDutyCause? {
        guard kind == .offDuty, detail > 0 else { return nil }
        return OffDutyCause(rawValue: detail - 1)
    }

    /// The reason why the driver is queued; nil for other notices.
    package var queued: QueueCause? {
        guard kind == .queued, detail > 0 else { return nil }
        return QueueCause(rawValue: detail - 1)
    }
}
