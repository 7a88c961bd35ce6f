import Localization

extension PrivacyTexts {
    static let paragraphs = [
        PrivacyTexts.thisServiceIsRunBy,
        PrivacyTexts.whereYouAreAndWhere,
        PrivacyTexts.soThatYouCanRead,
        PrivacyTexts.whoCallsATaxiWithout,
        PrivacyTexts.attemptsToSignInAre,
        PrivacyTexts.youCanSeeChangeDownload,
    ]
    static let cookies: [(String, Text, Text)] = [
        (
            "session",
            PrivacyTexts.keepsYouSignedInAnd,
            PrivacyTexts.untilYouSignOut30
        ),
        (
            "order",
            PrivacyTexts.remembersWhereYouWantTo,
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

extension AccessibilityTexts {
    static let paragraphs = [
        AccessibilityTexts.everybodyShouldBeAbleTo,
        AccessibilityTexts.everyMapHasTheSame,
        AccessibilityTexts.ifSomethingKeepsYouFrom,
    ]
}
