package import Chronology
import Encoding

/// The register of strikes ahead, as the ministry publishes it in RSS.
package struct StrikeRegister: Sendable {
    /// When the ministry made it.
    package let published: Instant
    /// The usable notices in the order of the feed, with the errors of the others.
    package let notices: FeedEntries<StrikeNotice>

    /// The name of the file in errors.
    private static let file = "scioperi"
    /// How many notices are read; the register has about 50.
    private static let noticeLimit = 5_000

    /// Reads the RSS of `scioperi.mit.gov.it`.
    ///
    /// - Throws: what is wrong with the file as a whole; a notice with an error is left out.
    package init(_ bytes: [UInt8]) throws(FeedFailure) {
        do throws(FeedTrouble) {
            guard bytes.count <= FeedFields.sizeLimit else {
                throw FeedTrouble("", .tooLarge(limit: FeedFields.sizeLimit))
            }
            let channel: Channel
            do {
                channel = try Channel(bytes, itemLimit: Self.noticeLimit)
            } catch {
                throw FeedTrouble("", .notXML(error))
            }
            guard channel.isRSS else { throw FeedTrouble("rss.channel", .missing) }
            guard channel.items.count <= Self.noticeLimit else {
                throw FeedTrouble("rss.channel.item", .tooMany(limit: Self.noticeLimit))
            }
            let text = channel.published ?? ""
            guard let published = RFC822.instant(text) else {
                throw FeedTrouble("rss.channel.pubDate", .badValue(text))
            }
            self.published = published
            notices = Self.notices(of: channel)
        } catch {
            throw error.failure(in: Self.file)
        }
    }

    private static func notices(of channel: Channel) -> FeedEntries<StrikeNotice> {
        var found = FeedEntries<StrikeNotice>()
        for (index, item) in channel.items.enumerated() {
            do {
                found.entries.append(try StrikeNotice(item))
            } catch {
                found.reject(error.within("rss.channel.item[\(index)]").failure(in: file))
            }
        }
        return found
    }

    /// The texts of an RSS channel.
    private struct Channel {
        var isRSS = false
        var published: String?
        /// The texts of each item by the name of the element.
        var items: [[String: String]] = []

        init(_ bytes: [UInt8], itemLimit: Int) throws(XMLFailure) {
            var reader = try XMLPullReader(bytes)
            var path: [String] = []
            var item: [String: String] = [:]
            while let piece = try reader.next() {
                switch piece {
                case .start(let name):
                    path.append(name)
                    if path == ["rss", "channel"] { isRSS = true }
                    if path == ["rss", "channel", "item"] { item = [:] }
                case .text(let text):
                    if path == ["rss", "channel", "pubDate"] {
                        published = (published ?? "") + text
                    } else if path.count == 4, path.starts(with: ["rss", "channel", "item"]) {
                        item[path[3], default: ""] += text
                    }
                case .end:
                    // One more than the limit is kept, to tell that there are too many.
                    if path == ["rss", "channel", "item"], items.count <= itemLimit {
                        items.append(item)
                    }
                    path.removeLast()
                }
            }
        }
    }
}

extension StrikeNotice {
    /// A notice of the texts of its item: labels and values, in the title after ` - ` and in the
    /// description after `<br/>`.
    fileprivate init(_ item: [String: String]) throws(FeedTrouble) {
        let id = (item["guid"] ?? "").trimmingWhiteSpace()
        guard !id.isEmpty else { throw FeedTrouble("guid", .missing) }
        let title = Self.labels(item["title"] ?? "", separators: [" - "])
        let body = Self.labels(
            item["description"] ?? "",
            separators: ["<br/>", "<br />", "<br>"]
        )
        func value(_ label: String) -> String { body[label] ?? title[label] ?? "" }
        let firstDay = try Self.date(title["data inizio"], "title")
        let lastDay = try Self.date(body["data fine"], "description")
        guard firstDay <= lastDay, lastDay.daysSince1970 - firstDay.daysSince1970 <= 366 else {
            throw FeedTrouble("description", .badValue(body["data fine"] ?? ""))
        }
        guard !value("settore").isEmpty else { throw FeedTrouble("title", .missing) }
        self.init(
            id: id,
            firstDay: firstDay,
            lastDay: lastDay,
            sector: value("settore"),
            relevance: value("rilevanza"),
            region: value("regione"),
            province: value("provincia"),
            unions: value("sindacati"),
            staff: value("categoria interessata"),
            hoursText: value("modalità")
        )
    }

    /// The values of a text by their labels in lower case; repeated blanks are joined.
    private static func labels(_ text: String, separators: [String]) -> [String: String] {
        var labels: [String: String] = [:]
        for part in parts(of: text, separators: separators) {
            guard let colon = part.firstIndex(of: ":") else { continue }
            let value = part[part.index(after: colon)...].split(whereSeparator: \.isWhitespace)
            let label = String(part[..<colon]).trimmingWhiteSpace().lowercased()
            if labels[label] == nil { labels[label] = value.joined(separator: " ") }
        }
        return labels
    }

    private static func parts(of text: String, separators: [String]) -> [String] {
        var parts: [String] = []
        var rest = text[...]
        while let range = separators.compactMap({ rest.firstRange(of: $0) })
            .min(by: { $0.lowerBound < $1.lowerBound })
        {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }

    /// A date such as `10/10/2026`.
    private static func date(_ text: String?, _ field: String) throws(FeedTrouble) -> CivilDate {
        guard let text else { throw FeedTrouble(field, .missing) }
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false)
            .compactMap { Int32($0) }
        guard numbers.count == 3, (2000...2199).contains(numbers[2]),
            let date = CivilDate(year: numbers[2], month: numbers[1], day: numbers[0])
        else { throw FeedTrouble(field, .badValue(text)) }
        return date
    }
}

/// Times as mails and RSS write them.
enum RFC822 {
    /// The English names of the months, shortened.
    static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Reads a time such as `Sat, 10 Oct 2026 13:35:08 +0000`.
    static func instant(_ text: String) -> Instant? {
        var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        if words.first?.hasSuffix(",") ?? false { words.removeFirst() }
        guard words.count == 5, let day = Int32(words[0]),
            let month = months.firstIndex(of: words[1]), let year = Int32(words[2]),
            (1970...2199).contains(year),
            let date = CivilDate(year: year, month: Int32(month) + 1, day: day)
        else { return nil }
        let zone = ["GMT", "UT", "UTC"].contains(words[4]) ? "Z" : words[4]
        return FeedTime.rfc3339("\(date.iso8601)T\(words[3])\(zone)")
    }
}
