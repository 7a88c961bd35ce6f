import Foundation
import OpenData
import TestSupport

/// A feed of one line with three stops, whose files tests replace one at a time.
enum GTFSSample {
    static let texts = [
        "agency.txt": """
        agency_id,agency_name,agency_url,agency_timezone
        A,Azienda,http://a.example,Europe/Rome
        """,
        "stops.txt": """
        stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
        S1,Alba,45.00,9.00,0,
        S2,Borgo,45.01,9.00,0,
        S3,Corte,45.02,9.00,0,
        """,
        "routes.txt": "route_id,route_short_name,route_type,agency_id,route_color\nR1,1,3,A,FF0000",
        "calendar.txt": """
        service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
        W,1,1,1,1,1,0,0,20141001,20141031
        """,
        "trips.txt": "trip_id,route_id,service_id,direction_id,shape_id\nT1,R1,W,0,\nT2,R1,W,1,",
        "stop_times.txt": """
        trip_id,stop_id,stop_sequence,arrival_time,departure_time
        T1,S1,1,08:00:00,08:00:00
        T1,S2,2,08:10:00,08:11:00
        T1,S3,3,08:20:00,08:20:00
        T2,S3,1,09:00:00,09:00:00
        T2,S1,2,09:20:00,09:20:00
        """,
    ]

    /// Returns the texts with lines added to files; new files get a header.
    static func adding(_ lines: String, to file: String) -> [String: String] {
        var changed = texts
        changed[file] = changed[file].map { $0 + "\n" + lines } ?? lines
        return changed
    }

    /// Returns the texts with one file replaced; nil removes it.
    static func replacing(_ file: String, with text: String?) -> [String: String] {
        var changed = texts
        changed[file] = text
        return changed
    }

    static func read(_ texts: [String: String]) throws -> GTFSReader.Result {
        try GTFSReader.read(.texts(texts), name: "sample")
    }

    /// Returns the failure of a refused feed; nil if it is accepted.
    static func failure(_ source: FeedSource) -> GTFSFailure? {
        do throws(GTFSFailure) {
            _ = try GTFSReader.read(source, name: "sample")
            return nil
        } catch {
            return error
        }
    }

    /// Creates an archive of files in the order of their names.
    static func archive(_ files: [String: [UInt8]]) throws -> [UInt8] {
        var writer = ZipWriter()
        for name in files.keys.sorted() { writer.add(name, files[name] ?? []) }
        return try writer.finish()
    }

    /// Writes bytes to a temporary file, passes its path to a closure and removes the file.
    static func withFile<Value>(_ bytes: [UInt8], _ body: (String) throws -> Value) throws -> Value
    {
        let folder = try TemporaryFolder()
        return try withExtendedLifetime(folder) {
            try body(folder.write(Data(bytes), to: "feed.zip"))
        }
    }
}
