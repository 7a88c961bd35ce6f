import Foundation
import TestSupport

/// Milan with both its feeds, imported once for all tests by the program.
enum MilanCity {
    /// Whether its data is installed.
    static let isPresent = RealData.has(
        "milan/milan.osm.pbf",
        "milan/atm_gtfs_2014.zip",
        "milan/trenord_gtfs_2026.zip"
    )

    /// The import with its folder and city file.
    struct Import: Sendable {
        let folder: TemporaryFolder
        let path: String
        let code: Int32
        let output: String
        let errors: String
    }

    /// Returns the import, performing it at the first call.
    static func imported() throws -> Import { try result.get() }

    /// The path of the city file.
    static func path() throws -> String { try imported().path }

    private static let result = Result {
        let folder = try TemporaryFolder()
        let path = folder.path("milan.city")
        let run = try Program.run(
            "city",
            "import",
            "--osm",
            RealData.url("milan/milan.osm.pbf").path,
            "--gtfs",
            RealData.url("milan/atm_gtfs_2014.zip").path,
            "--gtfs",
            RealData.url("milan/trenord_gtfs_2026.zip").path + "@-626w",
            "--out",
            path
        )
        return Import(
            folder: folder,
            path: path,
            code: run.code,
            output: run.output,
            errors: run.errors
        )
    }
}
