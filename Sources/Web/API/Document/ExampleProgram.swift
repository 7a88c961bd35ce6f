import HTTPTypes
import Localization
import Markup
import WebCore

/// A program that shows developers how to begin; it is shown as tests run it.
package struct ExampleProgram: Sendable {
    /// The name of its file.
    package let file: String
    /// The language in which it is written, by its own name.
    let language: String
    /// A sentence on what the program does.
    let purpose: Text
    /// The source text in UTF-8.
    package let bytes: [UInt8]

    /// All examples, in the order in which they are shown.
    package static let all = [
        ExampleProgram(
            file: "trip.py",
            language: "Python",
            purpose: DevelopersTexts.exampleTrip,
            bytes: PackageResources.trip_py
        ),
        ExampleProgram(
            file: "taxi.sh",
            language: "curl",
            purpose: DevelopersTexts.exampleTaxi,
            bytes: PackageResources.taxi_sh
        ),
        ExampleProgram(
            file: "taxi.mjs",
            language: "JavaScript",
            purpose: DevelopersTexts.exampleTaxi,
            bytes: PackageResources.taxi_mjs
        ),
        ExampleProgram(
            file: "taxi.swift",
            language: "Swift",
            purpose: DevelopersTexts.exampleTaxi,
            bytes: PackageResources.taxi_swift
        ),
    ]
}

/// The examples on the page for developers.
extension CityAPI {
    /// The route of an example as a file.
    var exampleRoute: Route {
        .get("/developers/examples/{file}", as: "developers.example", for: .anonymous) { context in
            let name = context.parameters["file"] ?? ""
            guard let example = ExampleProgram.all.first(where: { $0.file == name }) else {
                throw Failure.notFound
            }
            return Response(type: "text/plain; charset=utf-8", bytes: example.bytes)
        }
        .taking([
            .path("file", .choice(ExampleProgram.all.map(\.file)), "The file of an example.")
        ])
        .answering(.file("text/plain"))
        .failing(.notFound)
    }

    /// The examples, each folded to one line.
    func examples(_ context: RequestContext) -> HTML {
        let rows = ExampleProgram.all.map { example -> FoldedRow in
            let address = Address("/developers/examples", example.file)
            let source = String(decoding: example.bytes, as: UTF8.self)
            return FoldedRow(
                .download,
                example.purpose,
                value: "\(example.language)",
                content: """
                    <pre lang="en"><code>\(source)</code></pre>
                    <p><a href=\(address) download>\
                    \(context.say(DevelopersTexts.exampleFile(example.file)))</a></p>
                    """
            )
        }
        return """
            <h2 id="examples">\(context.say(DevelopersTexts.examplesTitle))</h2>
            <p>\(context.say(DevelopersTexts.examplesLead))</p>
            \(FoldedRow.list(rows, context))
            """
    }
}
