import Markup

extension Icon {
    /// A check mark in a circle: done.
    package static let check = Icon(path: "M12 21a9 9 0 100-18 9 9 0 000 18zM8 12l3 3 5-6")
    /// A plus sign: add.
    package static let plus = Icon(path: "M12 5v14M5 12h14")
    /// A minus sign: fewer.
    package static let minus = Icon(path: "M5 12h14")
    /// A cross: close or remove.
    package static let close = Icon(path: "M6 6l12 12M18 6L6 18")
    /// A chevron to the right: what follows.
    package static let next = Icon(path: "M9 5l7 7-7 7")
    /// A chevron to the left: what was before.
    package static let back = Icon(path: "M15 5l-7 7 7 7")
    /// An arrow up: rising, moved up.
    package static let up = Icon(path: "M12 20V5M6 11l6-6 6 6")
    /// An arrow down: falling, moved down.
    package static let down = Icon(path: "M12 4v15M6 13l6 6 6-6")
    /// Arrows up and down: swap.
    package static let swap = Icon(path: "M7 20V4M3 8l4-4 4 4M17 4v16M13 16l4 4 4-4")
    /// A magnifying glass: search.
    package static let search = Icon(
        path:
            "M10.5 17a6.5 6.5 0 100-13 6.5 6.5 0 000 13zM15.5 15.5L21 21"
    )
    /// A pencil: change.
    package static let edit = Icon(path: "M4 20l1-5L16 4l4 4L9 19zM14 6l4 4")
    /// A bin: delete.
    package static let bin = Icon(path: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5")
    /// Three joined dots: share.
    package static let share = Icon(
        path: """
            M17 8a2.5 2.5 0 100-5 2.5 2.5 0 000 5zM7 14.5a2.5 2.5 0 100-5 2.5 2.5 0 000 5z \
            M17 21a2.5 2.5 0 100-5 2.5 2.5 0 000 5zM9 11l6-4M9 13l6 4
            """
    )
    /// A chain: an address to copy.
    package static let link = Icon(
        path:
            "M10 14a4 4 0 006 0l4-4a4 4 0 00-6-6l-1 1M14 10a4 4 0 00-6 0l-4 4a4 4 0 006 6l1-1"
    )
    /// Two arrows in a circle: refresh.
    package static let refresh = Icon(
        path:
            "M20 11a8 8 0 00-14-4L3 10M4 13a8 8 0 0014 4l3-3M3 5v5h5M21 19v-5h-5"
    )
    /// An arrow into a tray: download.
    package static let download = Icon(path: "M12 4v11M7 10l5 5 5-5M4 20h16")
    /// An arrow out of a tray: upload.
    package static let upload = Icon(path: "M12 15V4M7 9l5-5 5 5M4 20h16")
    /// A printer: print.
    package static let printer = Icon(path: "M7 8V3h10v5M7 17H4V8h16v9h-3M7 14h10v7H7z")
    /// A funnel: filter.
    package static let filter = Icon(path: "M3 5h18l-7 8v6l-4 2v-8z")
    /// An arrow pointing out of a frame: sign out.
    package static let out = Icon(path: "M10 4H5v16h5M14 8l4 4-4 4M18 12H9")
    /// A triangle: go on.
    package static let play = Icon(path: "M7 4l13 8-13 8z")
    /// A pause sign: suspension.
    package static let pause = Icon(path: "M12 21a9 9 0 100-18 9 9 0 000 18zM10 9v6M14 9v6")
    /// A square: end.
    package static let stop = Icon(path: "M6 6h12v12H6z")
    /// An arrow back: undo.
    package static let undo = Icon(path: "M8 4L3 9l5 5M3 9h11a6 6 0 010 12h-3")
    /// Three dots: more.
    package static let more = Icon(path: "M5 12h.1M12 12h.1M19 12h.1")
    /// Arrows to the corners: enlarge.
    package static let expand = Icon(path: "M14 4h6v6M10 20H4v-6M20 4l-7 7M4 20l7-7")
}
