import SeededRandom
import TestSupport
import WebTestSupport

/// What attackers type where a name, a number or a date is expected.
enum Corpus {
    /// SQL injection for both engines: early ends of statements, comments, unions, stacked
    /// statements.
    static let statements = [
        "' OR '1'='1", "\" OR \"\"=\"", "1; DROP TABLE person; --", "'; DELETE FROM person; --",
        "') OR ('a'='a", "' UNION SELECT NULL, NULL, NULL --", "1 OR 1=1", "\\'; SELECT 1; --",
        "'||(SELECT number FROM person LIMIT 1)||'", "1' AND (SELECT COUNT(*) FROM person) > 0 --",
        "$$; DROP TABLE person; $$", "%' OR 1=1 --", "0x27204f522031", "＇ OR 1=1",
        "'; UPDATE person_role SET role = 'administrator'; --",
    ]

    /// Markup, attributes, addresses and entities that a page must show as plain text.
    static let markups = [
        "<script>alert(57)</script>", "\"><img src=x onerror=alert(57)>",
        "'><svg/onload=alert(57)>",
        "</textarea><script>alert(57)</script>", "</title><script>alert(57)</script>",
        "javascript:alert(57)", "\" autofocus onfocus=\"alert(57)", "' onmouseover='alert(57)",
        "<iframe srcdoc='<script>alert(57)</script>'>", "{{7*7}}${7*7}",
        "<a href=\"//evil.example\">x",
        "\u{202E}<b>57</b>", "--><script>alert(57)</script>", "]]><script>alert(57)</script>",
    ]

    /// What a page contains only if an attack was interpreted as markup.
    static let signs = [
        "<script>alert(57)", "<img src=x", "<svg/onload", "\" autofocus onfocus=\"alert",
        "' onmouseover='alert", "<iframe", "<a href=\"//evil", "<b>57", "href=\"javascript:",
    ]

    /// A random selection of each kind; all of them with VIAVAI_EVERYTHING=1.
    static func some(_ count: Int, using random: inout SeededRandom) -> [String] {
        let some = Effort.current == .everything ? 100 : count
        return Array(statements.shuffled(using: &random).prefix(some))
            + Array(markups.shuffled(using: &random).prefix(some))
    }
}
