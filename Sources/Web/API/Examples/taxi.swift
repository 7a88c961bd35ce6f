// Calls a taxi for a guest and follows the ride to its end.
//
// Run it with VIAVAI_SERVER, the address of the city, and VIAVAI_KEY, the key of the application:
// swiftc taxi.swift && ./taxi "45.4641, 9.1919" "45.4840, 9.2040" "+39 333 1234567"

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct Ride: Decodable {
    var request: Int
    var state: String
    var outcome: String?
}

struct Problem: Decodable {
    var detail: String
}

func fail(_ reason: String) -> Never {
    print(reason)
    exit(1)
}

let environment = ProcessInfo.processInfo.environment

func ask(_ path: String, _ fields: [String: String]? = nil) async throws -> Ride {
    let server = URL(string: environment["VIAVAI_SERVER"] ?? "")
    guard let address = URL(string: "/api/\(path)", relativeTo: server) else {
        fail("VIAVAI_SERVER is not an address")
    }
    var request = URLRequest(url: address, timeoutInterval: 60)
    let key = environment["VIAVAI_KEY"] ?? ""
    request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
    if let fields {
        request.httpMethod = "POST"
        request.httpBody = try JSONEncoder().encode(fields)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        // With its key, a request whose answer is lost can be sent again.
        request.setValue(UUID().uuidString, forHTTPHeaderField: "Idempotency-Key")
    }
    let (body, answer) = try await URLSession.shared.data(for: request)
    guard let status = (answer as? HTTPURLResponse)?.statusCode, (200...299).contains(status) else {
        fail("\(path): \(try JSONDecoder().decode(Problem.self, from: body).detail)")
    }
    return try JSONDecoder().decode(Ride.self, from: body)
}

let arguments = CommandLine.arguments
guard arguments.count == 4 else { fail("usage: \(arguments[0]) FROM TO CONTACT") }
var ride = try await ask(
    "rides",
    ["from": arguments[1], "to": arguments[2], "contact": arguments[3]]
)
while ride.state != "ended" {
    print(ride.state)
    ride = try await ask("rides/\(ride.request)/wait?state=\(ride.state)")
}
print(ride.outcome ?? "")
