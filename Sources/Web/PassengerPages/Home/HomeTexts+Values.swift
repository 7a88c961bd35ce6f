import Localization
import Markup
import TaxiPages
import WebCore

extension HomeTexts {
    static let everybody: [(Address, Text, Text)] = [
        (
            Address("/register/driver"), HomeTexts.youDriveATaxi,
            HomeTexts.seeYourPlaceInThe
        ),
        (
            Address("/accessibility"), HomeTexts.youReadOtherwise,
            HomeTexts.screenReaderKeyboardLargeText
        ),
        (
            Address("/privacy"), HomeTexts.youWantToKnow,
            HomeTexts.whatIsKeptForHow
        ),
    ]
    static let points: [(Icon, Text, Text)] = [
        (
            .taxi, HomeTexts.callOrReserve,
            HomeTexts.sayWhereYouAreAnd
        ),
        (
            .list, HomeTexts.fairAndYouCanCheck,
            HomeTexts.everyTaxiKeepsItsPlace
        ),
        (
            .lock, HomeTexts.yoursStaysYours,
            HomeTexts.yourPlacesAndPlansAre
        ),
    ]
}

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
}

extension AccessibilityTexts {
    static let paragraphs = [
        AccessibilityTexts.everybodyShouldBeAbleTo,
        AccessibilityTexts.everyMapHasTheSame,
        AccessibilityTexts.ifSomethingKeepsYouFrom,
    ]
}
