import Glibc

/// A page, read without a browser.
///
/// The bytes are searched directly: thousands of pages are read each second, on the
/// machine that serves them.
struct Page: Sendable {
    /// The markup as bytes.
    let bytes: [UInt8]
    /// The text that an event has put in the place of the first heading.
    private var shown: String?

    /// Creates a page from a response.
    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Shows a driver's new queue position on the page, by the rules of `live.js`.
    ///
    /// - Parameter event: the data of the event.
    /// - Returns: whether it was newer, and this is a page with a queue position.
    mutating func move(_ event: String) -> Bool {
        guard let at = text(after: "data-place=\"").flatMap(Int.init) else { return false }
        let parts = event.split(separator: "\"", omittingEmptySubsequences: false)
        // {"at":17,"en":["You are …
        guard parts.count > 5, parts[1] == "at", parts[3] == "en",
            let news = Int(parts[2].filter(\.isNumber)), news > max(at, shownAt)
        else { return false }
        shownAt = news
        shown = String(parts[5])
        return true
    }

    private var shownAt = 0

    /// The fields of the first form with an action; nil where there is none.
    ///
    /// - Parameter action: the path of the form.
    /// - Returns: names and values of the hidden fields, including tokens and keys.
    func form(_ action: String) -> [(String, String)]? {
        guard var at = find("action=\"\(action)\"") else { return nil }
        let end = find("</form>", from: at) ?? bytes.count
        var fields: [(String, String)] = []
        let hidden = "type=\"hidden\" name=\""
        while let start = find(hidden, from: at), start < end {
            let name = text(from: start + hidden.utf8.count)
            guard let value = find("value=\"", from: start) else { break }
            fields.append((name, text(from: value + 7)))
            at = value
        }
        return fields
    }

    /// The order that the page shows, sealed, as its button sends it; nil where it does not order.
    var order: String? { text(after: "name=\"order\" value=\"") }

    /// The first token of any form, for requests by scripts.
    var token: String { text(after: "name=\"token\" value=\"") ?? "" }

    /// The newest event that the page reflects.
    var newest: String { text(after: "data-after=\"") ?? "" }

    /// The number of the session that the page was rendered for, as its script names it.
    var session: String { text(after: "data-session=\"") ?? "" }

    /// The destination of the navigation link, in degrees; nil where there is none.
    var goal: (north: Double, east: Double)? {
        guard let start = find("\"geo:") else { return nil }
        let degrees = text(from: start + 5).split { ",?;".contains($0) }
        guard degrees.count > 1, let north = Double(degrees[0]), let east = Double(degrees[1])
        else { return nil }
        return (north, east)
    }

    /// The four digits that the passenger shows to the driver; nil while a taxi is being sought.
    var code: String? {
        signs.first { $0.utf8.count == 4 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }

    /// The plate of the passenger's taxi; nil where there is none.
    var plate: String? {
        find("class=\"plate\"").flatMap { start in
            find("<dd>", from: start).map { words(from: $0 + 4, to: "</dd>") }
        }
    }

    /// Whether the page belongs to a request that has not ended.
    var isOfLiveRide: Bool { find("id=\"ride\"") != nil }

    /// A driver's position in the queue of a zone; nil where the driver is in no queue.
    ///
    /// The sentence is "You are 3rd of 25 in Z12", or the same in the driver's language.
    var place: QueuePlace? {
        let words = heading.split(separator: " ")
        let numbers = words.compactMap { word in
            word.first?.isNumber == true ? Int(word.prefix { $0.isNumber }) : nil
        }
        guard numbers.count == 2, words.count > 2, words[words.count - 2] == "in",
            let zone = words.last
        else { return nil }
        return QueuePlace(number: numbers[0], of: numbers[1], zone: String(zone))
    }

    /// The essential content: two pages that agree in this show the same state.
    ///
    /// It leaves out what changes without events: times, minutes, the position of a taxi.
    var sense: String {
        let place = place.map { "\($0.number) in \($0.zone)" } ?? ""
        let step = find("aria-current=\"step\"").map { start in
            text(from: (find(">", from: start) ?? start) + 1, until: UInt8(ascii: "<"))
        }
        let request = form("/drive/offer/accept")?.first { $0.0 == "request" }?.1
        let ride = form("/drive/ride/board")?.first { $0.0 == "ride" }?.1
        let duty = text(after: "data-duty=\"")
        let isAboard = find("\"/drive/ride/finish\"") != nil
        return [
            place, step ?? "", plate ?? "", code ?? "", request ?? "", ride ?? "", duty ?? "",
            isAboard ? "aboard" : "", isOfLiveRide ? "live" : "",
        ].joined(separator: "|")
    }

    /// The first heading as plain text.
    private var heading: String {
        if let shown { return shown }
        guard let start = find("<h1"), let end = find(">", from: start) else { return "" }
        return words(from: end + 1, to: "</h1>")
    }

    /// The values on the passenger's page: the plate, the taxi, the code, the driver.
    private var signs: [String] {
        guard var at = find("<dl class=\"signs\">") else { return [] }
        let end = find("</dl>", from: at) ?? bytes.count
        var found: [String] = []
        while let value = find("<dd>", from: at), value < end {
            found.append(words(from: value + 4, to: "</dd>"))
            at = value + 4
        }
        // The code is the last number of four digits; taxi numbers come before it.
        return found.reversed()
    }

    // MARK: Searching

    private func text(after start: String) -> String? {
        find(start).map { text(from: $0 + start.utf8.count) }
    }

    private func text(from start: Int, until end: UInt8 = UInt8(ascii: "\"")) -> String {
        guard start <= bytes.count else { return "" }
        let rest = bytes[start...]
        return Self.plain(String(decoding: rest.prefix { $0 != end }, as: UTF8.self))
    }

    /// The text of a part of the page, without the tags in it.
    private func words(from start: Int, to end: String) -> String {
        var isTag = false
        var found: [UInt8] = []
        for byte in bytes[start..<(find(end, from: start) ?? bytes.count)] {
            if byte == UInt8(ascii: "<") { isTag = true }
            if !isTag { found.append(byte) }
            if byte == UInt8(ascii: ">") { isTag = false }
        }
        return Self.plain(String(decoding: found, as: UTF8.self))
    }

    private func find(_ text: String, from start: Int = 0) -> Int? {
        let wanted = Array(text.utf8)
        return bytes.withUnsafeBufferPointer { all in
            guard let base = all.baseAddress, let first = wanted.first else { return nil }
            var at = start
            while at + wanted.count <= all.count {
                guard let hit = memchr(base + at, Int32(first), all.count - at) else { return nil }
                at = UnsafeRawPointer(hit) - UnsafeRawPointer(base)
                guard at + wanted.count <= all.count else { return nil }
                if memcmp(base + at, wanted, wanted.count) == 0 { return at }
                at += 1
            }
            return nil
        }
    }

    private static func plain(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        return text.replacing("&quot;", with: "\"").replacing("&#39;", with: "'")
            .replacing("&lt;", with: "<").replacing("&gt;", with: ">")
            .replacing("&amp;", with: "&")
    }
}

/// A driver's position in a queue, as the driver's page shows it.
struct QueuePlace: Hashable, Sendable {
    /// The position, 1 for the next driver.
    var number: Int
    /// The number of drivers in the queue.
    var of: Int
    /// The name of the zone.
    var zone: String
}
