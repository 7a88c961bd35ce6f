package import Localization
package import Markup
package import WebCore

/// A table in the console, with a caption, column headings and rows.
package struct ConsoleTable: Sendable {
    /// What the table lists.
    package var caption: Text
    /// The column headings, from left to right.
    package var heads: [Text]
    /// The rows as whole `tr` elements, in which the first cell is a heading.
    package var rows: [HTML]
    /// Whether only screen readers get the caption, because a visible heading says the same.
    package var hidesCaption = false

    /// Creates a table from its parts.
    package init(caption: Text, heads: [Text], rows: [HTML], hidesCaption: Bool = false) {
        self.caption = caption
        self.heads = heads
        self.rows = rows
        self.hidesCaption = hidesCaption
    }

    /// The table's HTML, in a box that scrolls if the table is too wide.
    package func html(_ context: RequestContext) -> HTML {
        let heads = heads.map { "<th scope=\"col\">\(context.say($0))</th>" as HTML }
        return """
            <div class="scroll"><table>
            <caption\(HTML.when(hidesCaption, " class=\"hidden\""))>\(context.say(caption))\
            </caption>
            <thead><tr>\(heads)</tr></thead>
            <tbody>\(rows)</tbody></table></div>
            """
    }
}
