import Markup

extension Icon {
    /// A person: sign-in and account.
    package static let person = Icon(
        path:
            "M4 21c0-5 3-7 8-7s8 2 8 7M12 11a4 4 0 100-8 4 4 0 000 8z"
    )
    /// Two people: a group, user management.
    package static let people = Icon(
        path:
            "M2 20c0-4 3-6 7-6s7 2 7 6M9 11a4 4 0 100-8 4 4 0 000 8zM16 4a4 4 0 010 7M18 14q4 1 4 6"
    )
    /// A bulleted list: the menu of all functions.
    package static let list = Icon(path: "M8 6h13M8 12h13M8 18h13M3 6h.1M3 12h.1M3 18h.1")
    /// Lines of text: messages, requests.
    package static let lines = Icon(path: "M4 5h16M4 10h10M4 15h16M4 20h7")
    /// A house: home.
    package static let home = Icon(path: "M3 11l9-8 9 8M6 9v12h12V9M10 21v-6h4v6")
    /// A briefcase: work.
    package static let work = Icon(path: "M3 8h18v12H3zM8 8V4h8v4M3 13h18")
    /// A star: favourite, rating.
    package static let star = Icon(
        path:
            "M12 3l2.8 6 6.2.7-4.6 4.4 1.2 6.4L12 17.3 6.4 20.5l1.2-6.4L3 9.7 9.2 9z"
    )
    /// A heart: saved.
    package static let heart = Icon(
        path:
            "M12 20C5 15 3 12 3 8.5 3 4 9 3 12 7c3-4 9-3 9 1.5 0 3.5-2 6.5-9 11.5z"
    )
    /// A clock: time, waiting.
    package static let clock = Icon(path: "M12 21a9 9 0 100-18 9 9 0 000 18zM12 7v5l4 2")
    /// A clock turned back: recent.
    package static let history = Icon(path: "M4 8a9 9 0 11-1 5M3 3v5h5M12 8v4l3 2")
    /// A calendar: a day.
    package static let calendar = Icon(path: "M4 5h16v16H4zM4 10h16M8 3v4M16 3v4")
    /// A bell: notifications.
    package static let bell = Icon(
        path:
            "M5 17c2-2 1-9 3-11a5.6 5.6 0 018 0c2 2 1 9 3 11zM10 20q2 2 4 0"
    )
    /// A telephone: call.
    package static let phone = Icon(
        path:
            "M6 3h3l2 5-2.5 2a12 12 0 005.5 5.5l2-2.5 5 2v3q0 3-3 3C10 21 3 13 3 6q0-3 3-3z"
    )
    /// A speech bubble: message.
    package static let message = Icon(path: "M4 4h16v12H10l-5 4v-4H4zM8 9h8M8 12h5")
    /// An envelope: e-mail.
    package static let mail = Icon(path: "M3 5h18v14H3zM3 7l9 6 9-6")
    /// A mobile phone: device.
    package static let mobile = Icon(path: "M7 2h10v20H7zM11 18h2")
    /// A padlock: security.
    package static let lock = Icon(path: "M5 11h14v9H5zM8 11V8a4 4 0 018 0v3")
    /// A key: password, access.
    package static let key = Icon(
        path:
            "M8 19a4.5 4.5 0 100-9 4.5 4.5 0 000 9zM11 11.5L20 3M16 7l3 3"
    )
    /// A shield: privacy, proof.
    package static let shield = Icon(
        path:
            "M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6zM8.5 12l2.5 2.5 4.5-5"
    )
    /// An eye: look.
    package static let eye = Icon(
        path:
            "M2 12c5-8 15-8 20 0-5 8-15 8-20 0zM12 15a3 3 0 100-6 3 3 0 000 6z"
    )
    /// A globe: language selection.
    package static let language = Icon(
        path:
            "M12 21a9 9 0 100-18 9 9 0 000 18zM3 12h18M12 3c-5 5-5 13 0 18M12 3c5 5 5 13 0 18"
    )
    /// A gear: settings.
    package static let gear = Icon(
        path: """
            M12 15.5a3.5 3.5 0 100-7 3.5 3.5 0 000 7zM12 2.5v3M12 18.5v3M2.5 12h3M18.5 12h3 \
            M5.3 5.300l2.1 2.100M16.6 16.600l2.1 2.100M5.3 18.700l2.1-2.100M16.6 7.4l2.1-2.1
            """
    )
    /// Sliders: configurable rules.
    package static let rules = Icon(
        path:
            "M4 6h9M19 6h1M4 12h1M11 12h9M4 18h9M19 18h1M16 4v4M8 10v4M16 16v4"
    )
    /// A coin: prices and fees.
    package static let coin = Icon(
        path:
            "M12 21a9 9 0 100-18 9 9 0 000 18zM15 9c-3-2-6-1-6 3s3 5 6 3M7 11h5M7 13h5"
    )
    /// A bank card: payment.
    package static let card = Icon(path: "M3 5h18v14H3zM3 10h18M7 15h4")
    /// A receipt: fare, proof of payment.
    package static let receipt = Icon(path: "M5 3h14v18l-3-2-2 2-2-2-2 2-2-2-3 2zM9 8h6M9 12h6")
    /// A ticket: pass, voucher.
    package static let ticket = Icon(
        path:
            "M3 6h18v4a2 2 0 000 4v4H3v-4a2 2 0 000-4zM14 6v2M14 11v2M14 16v2"
    )
    /// A bar chart: statistics.
    package static let chart = Icon(path: "M4 20h17M6 16v-5M11 16V5M16 16V9M20 16v-3")
    /// A book: the audit log.
    package static let book = Icon(
        path:
            "M6 3h13v18H6a2 2 0 01-2-2V5a2 2 0 012-2zM8 8h7M8 12h7M4 18h15"
    )
    /// A floppy disk: backups.
    package static let disk = Icon(path: "M4 4h13l3 3v13H4zM8 4v5h7V4M8 20v-6h8v6")
    /// A plug: third-party applications.
    package static let plug = Icon(path: "M9 3v5M15 3v5M6 8h12v3a6 6 0 01-12 0zM12 17v4")
    /// A tray: import, nothing left.
    package static let inbox = Icon(path: "M3 14l3-9h12l3 9v6H3zM3 14h5l1 3h6l1-3h5")
    /// A card with a portrait: licence, papers.
    package static let licence = Icon(
        path:
            "M3 5h18v14H3zM8.5 12a2 2 0 100-4 2 2 0 000 4zM5.5 16c0-3 6-3 6 0M14 9h4M14 13h4"
    )
    /// The letter i in a circle: information.
    package static let information = Icon(path: "M12 21a9 9 0 100-18 9 9 0 000 18zM12 11v6M12 7h.1")
    /// A triangle with an exclamation mark: warning.
    package static let warning = Icon(path: "M12 3l10 18H2zM12 10v5M12 18h.1")
    /// A question mark in a circle: help.
    package static let question = Icon(
        path:
            "M12 21a9 9 0 100-18 9 9 0 000 18zM9 10c0-4 6-4 6-.5 0 2-3 2-3 4.5M12 17h.1"
    )
    /// A crossed-out cloud: no connection.
    package static let offline = Icon(
        path:
            "M3 3l18 18M9 6a6 6 0 018 5 4 4 0 013 6.5M6 9.5A4.5 4.5 0 007 19h10"
    )
    /// A sun: light colours, dry weather.
    package static let sun = Icon(
        path: """
            M12 16a4 4 0 100-8 4 4 0 000 8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4 \
            M17.6 17.600L19 19M5 19l1.4-1.4M17.6 6.4L19 5
            """
    )
    /// A moon: dark colours.
    package static let moon = Icon(path: "M20 14A8.5 8.5 0 1110 4a7 7 0 0010 10z")
    /// A cloud with rain: wet weather.
    package static let rain = Icon(
        path:
            "M7 15a4.5 4.5 0 010-9 6 6 0 0111 1 4 4 0 010 8zM8 18l-1 3M13 18l-1 3M18 18l-1 3"
    )
    /// A leaf: emissions.
    package static let leaf = Icon(path: "M5 19C3 9 10 4 20 4c1 10-5 16-13 14M4 21c2-6 6-9 11-11")
}
