package import Localization
package import Markup
package import WebCore

/// A table of the console: what it is about, what stands in its columns, its rows.
package struct ConsoleTable: Sendable {
    package var caption: Text
    package var heads: [Text]
    /// Each a whole `tr`, whose first cell is its head.
    package var rows: [HTML]
    /// Whether the caption repeats what stands above, and is for readers only.
    package var hidesCaption = false

    /// A value of these parts.
    package init(caption: Text, heads: [Text], rows: [HTML], hidesCaption: Bool = false) {
        self.caption = caption
        self.heads = heads
        self.rows = rows
        self.hidesCaption = hidesCaption
    }

    /// The table as it stands on a page; it scrolls by itself where it is too wide.
    package func html(_ visit: Visit) -> HTML {
        let heads = heads.map { "<th scope=\"col\">\(visit.say($0))</th>" as HTML }
        return """
            <div class="scroll"><table>
            <caption\(HTML.when(hidesCaption, " class=\"hidden\""))>\(visit.say(caption))</caption>
            <thead><tr>\(heads)</tr></thead>
            <tbody>\(rows)</tbody></table></div>
            """
    }
}
