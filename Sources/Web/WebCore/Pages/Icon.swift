package import Markup

/// A drawing of 24 by 24 units next to a text label, therefore hidden from screen readers.
package struct Icon: Sendable {
    private let path: HTML

    /// Creates an icon from a path.
    ///
    /// - Parameter path: the `d` attribute of an SVG path, drawn as a stroke.
    package init(path: HTML) {
        self.path = path
    }

    /// The icon as inline SVG.
    package var html: HTML {
        """
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">\
        <path d="\(path)"/></svg>
        """
    }
}

extension Icon {
    /// A person: sign-in and account.
    package static let person = Icon(
        path:
            "M4 21c0-5 3-7 8-7s8 2 8 7M12 11a4 4 0 100-8 4 4 0 000 8z"
    )
    /// A bulleted list: the menu of all functions.
    package static let list = Icon(path: "M8 6h13M8 12h13M8 18h13M3 6h.1M3 12h.1M3 18h.1")
    /// A padlock: security.
    package static let lock = Icon(path: "M5 11h14v9H5zM8 11V8a4 4 0 018 0v3")
    /// An arrow pointing out of a frame: sign out.
    package static let out = Icon(path: "M10 4H5v16h5M14 8l4 4-4 4M18 12H9")
    /// A globe: language selection.
    package static let language = Icon(
        path:
            "M12 21a9 9 0 100-18 9 9 0 000 18zM3 12h18M12 3c-5 5-5 13 0 18M12 3c5 5 5 13 0 18"
    )
    /// A folded map: maps.
    package static let map = Icon(path: "M3 6l6-2 6 2 6-2v14l-6 2-6-2-6 2zM9 4v14M15 6v14")
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
    /// A pause sign: suspension.
    package static let pause = Icon(path: "M12 21a9 9 0 100-18 9 9 0 000 18zM10 9v6M14 9v6")
    /// A plug: third-party applications.
    package static let plug = Icon(path: "M9 3v5M15 3v5M6 8h12v3a6 6 0 01-12 0zM12 17v4")
    /// A book: the audit log.
    package static let book = Icon(
        path:
            "M6 3h13v18H6a2 2 0 01-2-2V5a2 2 0 012-2zM8 8h7M8 12h7M4 18h15"
    )
    /// A floppy disk: backups.
    package static let disk = Icon(path: "M4 4h13l3 3v13H4zM8 4v5h7V4M8 20v-6h8v6")
    /// A check mark in a circle.
    package static let check = Icon(path: "M12 21a9 9 0 100-18 9 9 0 000 18zM8 12l3 3 5-6")
    /// Two people: user management.
    package static let people = Icon(
        path:
            "M2 20c0-4 3-6 7-6s7 2 7 6M9 11a4 4 0 100-8 4 4 0 000 8zM16 4a4 4 0 010 7M18 14q4 1 4 6"
    )
    /// Lines of text: log messages.
    package static let lines = Icon(path: "M4 5h16M4 10h10M4 15h16M4 20h7")
}
