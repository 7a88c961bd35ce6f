import Chronology
import Dispatching
import Fares
import Foundation
import Identity
import OpenData
import Storage
import Taxi
import TaxiPages
import WebCore
import Zones

/// The city, its rules and what changed in them.
extension CityAPI {
    var cityOperations: [Operation] {
        [
            .get(
                "/api/city",
                as: "api.city.read",
                "Read the city",
                in: .city,
                for: Self.publicScopes,
                returns: .city
            ) { _ in
                let policy = try await taxi.dispatch.read { $0.policy }
                let modules = ModuleDeclaration.optional.filter { $0.isOn(policy) }
                return Answer([
                    "modules": .list(modules.map { .text($0.name) }),
                    "name": .text(web.settings.name),
                    "time_zone": .text(web.settings.timeZone.identifier),
                    "phone": JSONValue(settings.phone), "languages": ["en", "it"],
                    "currency": JSONValue(taxi.tariffs.tariffs.last?.currency.code),
                    "status": await status(),
                    "terms": .text(accounts.settings.consentVersion),
                ])
            },
            .get(
                "/api/policy",
                as: "api.policy.read",
                "Read the rules in force",
                in: .city,
                for: Self.publicScopes,
                returns: .policy
            ) { _ in Answer(Self.json(try await taxi.policyInForce())) }
            .explained("The text has one rule a line, as the city's console shows it."),
            .get(
                "/api/policies",
                as: "api.policies.list",
                "List the rules that the city adopted",
                in: .city,
                for: Self.publicScopes,
                returns: .object([
                    .init("items", .list(.adopted), "The adopted rules, newest first.")
                ])
            ) { _ in
                let items = try await taxi.adoptedPolicies().map { adopted -> JSONValue in
                    [
                        "number": .integer(adopted.sequence), "adopted": JSONValue(adopted.moment),
                        "reason": .text(adopted.note),
                    ]
                }
                return Answer(["items": .list(items)])
            },
            .get(
                "/api/policies/{number}",
                as: "api.policies.read",
                "Read rules that the city adopted",
                in: .city,
                for: Self.publicScopes,
                returns: .policy
            ) { call in
                guard let number = call.number("number"),
                    let policy = try await taxi.adoptedPolicy(number)?.policy
                else { throw Failure.notFound }
                return Answer(Self.json(policy))
            }
            .taking([.path("number", .number(1...Int64.max), "The number of adopted rules.")]),
            .get(
                "/api/zone-versions",
                as: "api.zones.versions",
                "List the versions of the zones",
                in: .city,
                for: Self.publicScopes,
                returns: .object([
                    .init("items", .list(.version), "The versions, newest first.")
                ])
            ) { _ in
                let items = try await taxi.zoneDrafts.versions().map { version -> JSONValue in
                    [
                        "number": .integer(version.number),
                        "published": JSONValue(version.published), "reason": .text(version.note),
                    ]
                }
                return Answer(["items": .list(items)])
            },
            .get(
                "/api/zone-versions/{number}",
                as: "api.zones.version",
                "Read a version of the zones",
                in: .city,
                for: Self.publicScopes,
                returns: .features(.zone)
            ) { call in
                guard let number = call.number("number"),
                    let found = try await taxi.zoneDrafts.version(number)
                else { throw Failure.notFound }
                return Answer([
                    "type": "FeatureCollection", "features": .list(features(found.zones)),
                ])
            }
            .taking([.path("number", .number(1...Int64.max), "The number of the version.")]),
            .get(
                "/api/tariffs",
                as: "api.tariffs.list",
                "List the tariffs",
                in: .city,
                for: Self.publicScopes,
                returns: .object([.init("items", .list(.tariff), "The tariffs, oldest first.")])
            ) { _ in
                Answer(["items": .list(taxi.tariffs.tariffs.map { Self.json($0) })])
            },
        ]
    }

    private static func json(_ policy: Policy) -> JSONValue {
        ["name": .text(policy.name), "text": .text(policy.fileText)]
    }

    private static func json(_ tariff: Tariff) -> JSONValue {
        func money(_ amount: Int64) -> JSONValue { JSONValue(Money(amount, tariff.currency)) }
        return [
            "name": .text(tariff.name), "valid_from": .text(tariff.validFrom.iso8601),
            "initial_day": money(tariff.initial.day),
            "initial_night": money(tariff.initial.night),
            "initial_holiday": money(tariff.initial.holiday),
            "per_kilometre": money(tariff.perKilometre), "per_hour": money(tariff.perHour),
            "minimum": money(tariff.minimum),
        ]
    }
}

extension Schema {
    fileprivate static let city = Schema.named(
        "City",
        [
            Member("name", .text, "The name of the city's service."),
            Member("time_zone", .text, "The time zone of dates and times (IANA)."),
            Member("phone", .optional(.text), "The telephone number of the office."),
            Member("languages", .list(.text), "The languages of names and messages."),
            Member("currency", .optional(.text), "The currency of fares (ISO 4217)."),
            Member("status", .status, "The state of the service."),
            Member("modules", .list(.text), "The optional parts that the city has."),
            Member("terms", .text, "The version of the terms at `/terms`."),
        ]
    )

    fileprivate static let policy = Schema.named(
        "Policy",
        [
            Member("name", .text, "The name of the rules."),
            Member("text", .text, "The rules, one a line: name, colon and value."),
        ]
    )

    fileprivate static let adopted = Schema.named(
        "AdoptedPolicy",
        [
            Member("number", .integer, "The number, by which they can be read."),
            Member("adopted", .moment, "When they came into force."),
            Member("reason", .text, "Why, in the words of the office."),
        ]
    )

    fileprivate static let version = Schema.named(
        "ZoneVersion",
        [
            Member("number", .integer, "The number of the version."),
            Member("published", .moment, "When it came into force."),
            Member("reason", .text, "Why, in the words of the office; may be empty."),
        ]
    )

    fileprivate static let tariff = Schema.named(
        "Tariff",
        [
            Member("name", .text, "The name of the tariff."),
            Member("valid_from", .day, "The first day on which it is in force."),
            Member("initial_day", .money, "What the meter shows at the start, by day."),
            Member("initial_night", .money, "What the meter shows at the start, at night."),
            Member("initial_holiday", .money, "What the meter shows at the start, on holidays."),
            Member("per_kilometre", .money, "The price of a kilometre."),
            Member("per_hour", .money, "The price of an hour of waiting."),
            Member("minimum", .money, "The least that a ride costs."),
        ]
    )
}
