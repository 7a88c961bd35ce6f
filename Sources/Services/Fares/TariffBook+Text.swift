import Encoding

extension TariffBook {
    /// Parses a tariff file.
    ///
    /// It has lines of `key: value`, comments after `#`, and a line `---` between two tariffs,
    /// which is also valid YAML.
    ///
    /// The keys are listed in the module's README.
    ///
    /// - Throws: ``TariffFailure`` for the first error; there is no partial result.
    package init(text: String) throws(TariffFailure) {
        self.init()
        for entries in try Self.tariffs(in: text) {
            guard let first = entries.first else { continue }
            var reader = TariffReader(entries)
            try add(try reader.tariff(), line: first.line)
        }
        if tariffs.isEmpty { throw .empty }
    }

    /// Splits a file into the entries of each tariff.
    private static func tariffs(in text: String) throws(TariffFailure) -> [[TariffReader.Entry]] {
        var tariffs: [[TariffReader.Entry]] = [[]]
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (number, raw) in lines.enumerated() {
            let content = raw.prefix { $0 != "#" }.unquoted
            if content.isEmpty { continue }
            if content == "---" {
                tariffs.append([])
                continue
            }
            guard let colon = content.firstIndex(of: ":") else {
                throw .badLine(content, line: number + 1)
            }
            let entry = TariffReader.Entry(
                key: content[..<colon].unquoted,
                value: content[content.index(after: colon)...].unquoted,
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
