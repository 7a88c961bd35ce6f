import OpenData

/// Which properties of a GeoJSON feature identify and name a zone.
///
/// By default, the code is the first property that every feature has and whose values are
/// unique whole numbers or texts: one of ``codeProperties``, otherwise one whose name ends as an
/// identifier's does, otherwise any. Fractions are measures, such as areas, and identify nothing.
/// The name is the first of ``nameProperties`` that every feature has, otherwise the code.
package struct ZoneNaming: Hashable, Sendable {
    /// The property with the code; nil to choose one.
    package var codeProperty: String?
    /// The property with the name; nil to choose one.
    package var nameProperty: String?

    /// Properties that may identify a zone, the most specific first; `id` also
    /// means the feature's own.
    package static let codeProperties = [
        "code", "zone_id", "ID_NIL", "LocationID", "MUNICIPIO", "id", "OBJECTID", "name", "NIL",
        "zone",
    ]
    /// Properties that may name a zone, the most specific first.
    package static let nameProperties = ["name", "NIL", "zone", "title", "label"]

    /// Named properties, or nil to choose by the rule.
    package init(codeProperty: String? = nil, nameProperty: String? = nil) {
        self.codeProperty = codeProperty
        self.nameProperty = nameProperty
    }

    /// The same with both chosen for the features of a file; a name without property is the code.
    func resolved(for features: [GeoJSON.Feature]) -> ZoneNaming {
        var naming = self
        naming.codeProperty = codeProperty ?? Self.code(for: features)
        naming.nameProperty =
            nameProperty
            ?? Self.nameProperties.first { Self.count(of: $0, in: features) == features.count }
        return naming
    }

    /// The code of a feature, once chosen; nil if it has none.
    func code(of feature: GeoJSON.Feature) -> String? {
        codeProperty.flatMap { Self.text(of: $0, in: feature) }
    }

    /// The name of a feature, once chosen; nil if it has none.
    func name(of feature: GeoJSON.Feature) -> String? {
        nameProperty.flatMap { Self.text(of: $0, in: feature) }
    }

    /// The same naming with a separate property for names, where some zone's name
    /// differs from its code.
    func separated(for zones: [Zone]) -> ZoneNaming {
        let isShared = nameProperty == nil || nameProperty == codeProperty
        guard isShared, zones.contains(where: { $0.name != $0.code }) else { return self }
        var naming = self
        naming.nameProperty = codeProperty == "name" ? "title" : "name"
        return naming
    }

    /// A zone's properties with its code and name among them.
    func properties(of zone: Zone) -> JSONObject {
        var object = zone.properties
        let wanted = [(codeProperty, zone.code), (nameProperty, zone.name)]
        for (property, text) in wanted {
            guard let property, Self.text(of: object[property]) != text else { continue }
            object.members.removeAll { $0.name == property }
            object.members.append(JSONObject.Member(property, .text(text)))
        }
        return object
    }

    /// The property that best tells the features apart; when none does, the one that most have.
    private static func code(for features: [GeoJSON.Feature]) -> String {
        let further = furtherProperties(of: features).filter { isWhole($0, in: features) }
        var mostKnown = (property: codeProperties[0], count: 0)
        for property in codeProperties + further {
            let values = features.compactMap { text(of: property, in: $0) }
            if values.count == features.count && Set(values).count == values.count {
                return property
            }
            if values.count > mostKnown.count { mostKnown = (property, values.count) }
        }
        return mostKnown.property
    }

    /// The properties of the first feature that are not in ``codeProperties``: those named as
    /// identifiers are first, otherwise in the order of the file.
    private static func furtherProperties(of features: [GeoJSON.Feature]) -> [String] {
        let names = features.first?.properties.members.map(\.name) ?? []
        let further = names.filter { !codeProperties.contains($0) }
        func isIdentifier(_ name: String) -> Bool {
            let name = name.lowercased()
            return identifierEnds.contains { name.hasSuffix($0) }
        }
        return further.filter(isIdentifier) + further.filter { !isIdentifier($0) }
    }

    /// How the names of identifying properties end, in lower case.
    private static let identifierEnds = [
        "id", "code", "cod", "codice", "number", "num", "nr", "no", "zone", "zona", "key",
    ]

    /// Whether a property contains no fractions.
    private static func isWhole(_ property: String, in features: [GeoJSON.Feature]) -> Bool {
        features.allSatisfy { feature in
            if case .number(let number) = feature.properties[property] {
                return Int64(exactly: number) != nil
            }
            return true
        }
    }

    private static func count(of property: String, in features: [GeoJSON.Feature]) -> Int {
        features.count { text(of: property, in: $0) != nil }
    }

    private static func text(of property: String, in feature: GeoJSON.Feature) -> String? {
        text(of: feature.properties[property]) ?? (property == "id" ? text(of: feature.id) : nil)
    }

    private static func text(of value: JSONValue?) -> String? {
        switch value {
        case .text(let text): text.isEmpty ? nil : text
        case .integer(let number): String(number)
        case .number(let number): Int64(exactly: number).map { String($0) } ?? String(number)
        default: nil
        }
    }
}
