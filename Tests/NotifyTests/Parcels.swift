import Localization

@testable import Notify

/// A product that only these tests have: Notify knows no product, and delivers for each.
enum ParcelKind: String, NotificationKind {
    case near = "parcel-near"
    case booked = "parcel-booked"
    case changed = "parcel-changed"
    case offer = "parcel-offer"
    case receipt = "parcel-receipt"
    case lost = "parcel-lost"

    var rules: DeliveryRules {
        switch self {
        case .near, .lost: DeliveryRules([.push, .sms, .mail], isUrgent: true, minutes: 30)
        case .booked, .receipt: DeliveryRules([.mail, .push, .sms], minutes: 5 * 1_440)
        case .changed: DeliveryRules([.push, .mail], isUrgent: true, minutes: 30)
        case .offer: DeliveryRules([.push], isUrgent: true, isReported: true, minutes: 2)
        }
    }
}

/// The messages of the product, stored as their kind and the link.
struct ParcelMessage: Message {
    let parcel: ParcelKind
    let page: Link

    init(_ parcel: ParcelKind, page: Link = Examples.page) {
        self.parcel = parcel
        self.page = page
    }

    /// Decodes what ``stored`` encoded.
    init?(stored: [UInt8]) {
        let words = String(decoding: stored, as: UTF8.self).split(separator: " ")
        guard words.count == 2, let parcel = ParcelKind(rawValue: String(words[0])),
            let page = Link(String(words[1]))
        else { return nil }
        self.init(parcel, page: page)
    }

    var stored: [UInt8] { Array("\(parcel.rawValue) \(page.text)".utf8) }

    var kind: any NotificationKind { parcel }

    func letter(in language: Language, from city: City) -> Letter {
        switch parcel {
        case .near: letter(language, "Your parcel is near", "Parcel T12 is near. Code 4821.")
        case .booked:
            letter(language, "Collection on Saturday at 13:36", "Collection on Saturday at 13:36")
        case .changed, .offer, .receipt, .lost: letter(language, parcel.rawValue, parcel.rawValue)
        }
    }

    private func letter(_ language: Language, _ subject: String, _ short: String) -> Letter {
        Letter(
            language,
            Text(same: subject),
            short: Text(same: short),
            Text(same: "See the parcel"),
            page,
            Text(same: "That is all.")
        )
    }
}
