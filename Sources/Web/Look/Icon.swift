import Markup

/// A drawing of 24 by 24 beside a word; it never stands alone, so it is hidden from readers.
enum Icon {
    case taxi, calendar, person, people, map, list, settings, check, warning, clock, lock, out
    case language, key, upload, download, mail, building

    /// The drawing.
    var html: HTML {
        """
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">\(path)</svg>
        """
    }

    private var path: HTML {
        switch self {
        case .taxi:
            """
            <path d="M4 17v-4l2-5q.4-1 1.4-1h9.2q1 0 1.4 1l2 5v4zM4 13h16M9 7V4h6v3M6 17v2M18 17v2"/>
            """
        case .calendar: "<path d=\"M4 6h16v14H4zM4 10h16M8 3v5M16 3v5\"/>"
        case .person: "<path d=\"M4 21c0-5 3-7 8-7s8 2 8 7M12 11a4 4 0 100-8 4 4 0 000 8z\"/>"
        case .people:
            """
            <path d="M2 20c0-4 2-6 6-6s6 2 6 6M8 11a3 3 0 100-6 3 3 0 000 6zM16 14c4 0 6 2 6 6M16 11a3 \
            3 0 100-6"/>
            """
        case .map: "<path d=\"M9 4L3 6v14l6-2 6 2 6-2V4l-6 2zM9 4v14M15 6v14\"/>"
        case .list: "<path d=\"M8 6h13M8 12h13M8 18h13M3 6h.1M3 12h.1M3 18h.1\"/>"
        case .settings: "<path d=\"M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4\"/>"
        case .check: "<path d=\"M4 13l5 5L20 6\"/>"
        case .warning: "<path d=\"M12 3L2 20h20zM12 10v4M12 17h.1\"/>"
        case .clock: "<path d=\"M12 21a9 9 0 100-18 9 9 0 000 18zM12 7v5l3 3\"/>"
        case .lock: "<path d=\"M5 11h14v9H5zM8 11V8a4 4 0 018 0v3\"/>"
        case .out: "<path d=\"M10 4H5v16h5M14 8l4 4-4 4M18 12H9\"/>"
        case .language:
            "<path d=\"M12 21a9 9 0 100-18 9 9 0 000 18zM3 12h18M12 3c-5 5-5 13 0 18M12 3c5 5 5 13 0 18\"/>"
        case .key: "<path d=\"M8 16a4 4 0 100-8 4 4 0 000 8zM12 12h9M18 12v4\"/>"
        case .upload: "<path d=\"M12 16V4M7 9l5-5 5 5M4 20h16\"/>"
        case .download: "<path d=\"M12 4v12M7 11l5 5 5-5M4 20h16\"/>"
        case .mail: "<path d=\"M3 6h18v13H3zM3 7l9 7 9-7\"/>"
        case .building:
            "<path d=\"M5 21V4h14v17M3 21h18M9 8h.1M15 8h.1M9 12h.1M15 12h.1M10 21v-4h4v4\"/>"
        }
    }
}
