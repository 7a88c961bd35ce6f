import Markup

/// A drawing of 24 by 24 beside a word; it never stands alone, so it is hidden from readers.
enum Icon {
    case taxi, person, list, lock, out, language

    /// The drawing.
    var html: HTML {
        """
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">\
        <path d="\(path)"/></svg>
        """
    }

    private var path: HTML {
        switch self {
        case .taxi: "M4 17v-4l2-5q.4-1 1.4-1h9.2q1 0 1.4 1l2 5v4zM4 13h16M9 7V4h6v3M6 17v2M18 17v2"
        case .person: "M4 21c0-5 3-7 8-7s8 2 8 7M12 11a4 4 0 100-8 4 4 0 000 8z"
        case .list: "M8 6h13M8 12h13M8 18h13M3 6h.1M3 12h.1M3 18h.1"
        case .lock: "M5 11h14v9H5zM8 11V8a4 4 0 018 0v3"
        case .out: "M10 4H5v16h5M14 8l4 4-4 4M18 12H9"
        case .language:
            "M12 21a9 9 0 100-18 9 9 0 000 18zM3 12h18M12 3c-5 5-5 13 0 18M12 3c5 5 5 13 0 18"
        }
    }
}
