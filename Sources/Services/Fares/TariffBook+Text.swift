extension TariffBook {
    /// Reads a tariff file: lines of `key: value`, comments after `#`, and a line `---` between
    /// two tariffs, which is also YAML.
    ///
    /// The keys stand in the room's README.
    ///
    /// - Throws: ``TariffFailure`` at the first thing that is wrong; nothing is half read.
    package init(text: String) throws(TariffFailure) {
        self.init()
        for entries in try Self.tariffs(in: text) {
            guard let first = entries.first else { continue }
            var reader = TariffReader(entries)
            try add(try reader.tariff(), line: first.line)
        }
        if tariffs.isEmpty { throw .empty }
    }

    /// The entries of each tariff of a file.
    private static func tariffs(in text: String) throws(TariffFailure) -> [[TariffReader.Entry]] {
        var tariffs: [[TariffReader.Entry]] = [[]]
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (number, raw) in lines.enumerated() {
            let content = TariffReader.trimmed(raw.prefix { $0 != "#" })
            if content.isEmpty { continue }
            if content == "---" {
                tariffs.append([])
                continue
            }
            guard let colon = content.firstIndex(of: ":") else {
                throw .badLine(String(content), line: number + 1)
            }
            let entry = TariffReader.Entry(
                key: String(TariffReader.trimmed(content[..<colon])),
                value: String(TariffReader.trimmed(content[content.index(after: colon)...])),
                line: number + 1
            )
            let last = tariffs.count - 1
            if tariffs[last].contains(where: { $0.key == entry.key }) {
                throw .repeatedKey(entry.key, line: entry.line)
            }
            tariffs[last].append(entry)
        }
        return tariffs
    }
}
