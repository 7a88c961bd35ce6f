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

    /// The notice of an item of the outbox; nil for anything else.
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

    /// How the request or reservation ended that it tells of; nil where it tells of something
    /// else.
    package var outcome: RequestOutcome? {
        guard kind == .ended || kind == .reservationEnded, detail > 0 else { return nil }
        return RequestOutcome(rawValue: detail - 1)
    }

    /// Why the driver is off duty whom it tells of that; nil where it tells of something else.
    package var offDuty: OffDutyCause? {
        guard kind == .offDuty, detail > 0 else { return nil }
        return OffDutyCause(rawValue: detail - 1)
    }

    /// Why the driver is in a queue whom it tells of that; nil where it tells of something else.
    package var queued: QueueCause? {
        guard kind == .queued, detail > 0 else { return nil }
        return QueueCause(rawValue: detail - 1)
    }
}
