import Localization
import Markup
import WebCore

/// A table of the console: what it is about, what stands in its columns, its rows.
struct ConsoleTable: Sendable {
    var caption: Text
    var heads: [Text]
    /// Each a whole `tr`, whose first cell is its head.
    var rows: [HTML]
    /// Whether the caption repeats what stands above, and is for readers only.
    var hidesCaption = false

    /// The table as it stands on a page; it scrolls by itself where it is too wide.
    func html(_ visit: Visit) -> HTML {
        let heads = heads.map { "<th scope=\"col\">\(visit.say($0))</th>" as HTML }
        return """
            <div class="scroll"><table>
            <caption\(HTML.when(hidesCaption, " class=\"hidden\""))>\(visit.say(caption))</caption>
            <thead><tr>\(heads)</tr></thead>
            <tbody>\(rows)</tbody></table></div>
            """
    }
}
