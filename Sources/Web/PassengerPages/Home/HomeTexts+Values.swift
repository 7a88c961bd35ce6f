import Localization

extension PrivacyTexts {
    static let paragraphs = [
        PrivacyTexts.runByTheCity,
        PrivacyTexts.placesAndName,
        PrivacyTexts.offlineCopy,
        PrivacyTexts.guests,
        PrivacyTexts.signInAttempts,
        PrivacyTexts.yourRights,
    ]
    static let cookies: [(String, Text, Text)] = [
        (
            "session",
            PrivacyTexts.sessionCookie,
            PrivacyTexts.sessionCookieKept
        ),
        (
            "order",
            PrivacyTexts.draftCookie,
            PrivacyTexts.oneHour
        ),
        (
            "language",
            PrivacyTexts.remembersTheLanguageYouChose,
            PrivacyTexts.oneYear
        ),
    ]
    /// The cookie that only a city with providers sets.
    static let cookieOfProviders = (
        "sign-in", PrivacyTexts.remembersYourSignInElsewhere, PrivacyTexts.halfAnHour
    )
}

extension TermsTexts {
    /// The headings and the texts of the terms, in the order of the page.
    static let sections: [(title: Text, text: Text)] = [
        (TermsTexts.accountTitle, TermsTexts.account),
        (TermsTexts.taxisTitle, TermsTexts.taxis),
        (TermsTexts.drivingTitle, TermsTexts.driving),
        (TermsTexts.ticketsTitle, TermsTexts.tickets),
        (TermsTexts.relianceTitle, TermsTexts.reliance),
        (TermsTexts.endTitle, TermsTexts.end),
    ]
}

extension AccessibilityTexts {
    static let paragraphs = [
        AccessibilityTexts.everyoneCanCall,
        AccessibilityTexts.everyMapHasTheSame,
        AccessibilityTexts.reportFaults,
    ]
}
