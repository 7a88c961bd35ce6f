package import Identity
package import Localization

extension GuestTexts {
    package static func label(_ ways: Set<GuestProof>) -> Text {
        if ways.count > 1 {
            return GuestTexts.mobileNumberOrEMail
        }
        return ways.contains(.phone)
            ? GuestTexts.mobileNumber : GuestTexts.eMail
    }
    package static func hint(_ ways: Set<GuestProof>) -> Text? {
        guard ways.contains(.phone) else { return nil }
        return GuestTexts.phoneExample
    }
    package static func bad(_ ways: Set<GuestProof>) -> Text {
        if ways.count > 1 {
            return GuestTexts.badPhoneOrEmail
        }
        return ways.contains(.phone)
            ? GuestTexts.badPhone
            : GuestTexts.writeAnEMailAddress
    }
    package static func sentLead(_ proof: GuestProof) -> Text {
        switch proof {
        case .phone:
            GuestTexts.weHaveSentAnSms
        case .email:
            GuestTexts.weHaveSentAMail
        }
    }
}
