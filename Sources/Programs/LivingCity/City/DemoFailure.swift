/// Why a demo city cannot be set up or served.
package enum DemoFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The address can be reached from other machines; the demo is served on loopback only.
    case notLoopback(host: String)
    /// Another program already listens at the address.
    case taken(listen: String)
    /// Another demo is running in the folder.
    case folderInUse(String)
    /// The folder cannot be created or written to.
    case badFolder(String)
    /// The settings of the demo are invalid.
    case badSettings(String)
    /// A message of the set-up is missing or contains no secret.
    case noLetter
    /// The administrator could not sign in.
    case noAdministrator
    /// The city file has no streets, or no zones can be drawn on them.
    case noGround

    /// A one-line message for the person who started the demo.
    package var description: String {
        switch self {
        case .notLoopback(let host):
            "--listen \(host): the passwords of a demo are public, so it is served on this "
                + "machine only, such as on 127.0.0.1:8080"
        case .taken(let listen):
            "\(listen): another program listens there, or it is no address of this machine; "
                + "choose another port, such as with --listen 127.0.0.1:9090"
        case .folderInUse(let folder):
            "\(folder): a demo is already running there; open its address, stop it with "
                + "Ctrl-C, or choose another --folder"
        case .badFolder(let folder):
            "\(folder): cannot be created or written to; choose another --folder"
        case .badSettings(let text): text
        case .noLetter: "the set-up of the demo found no message; please report this"
        case .noAdministrator: "the set-up of the demo could not sign in; please report this"
        case .noGround: "the city file of the demo has no streets for taxis"
        }
    }
}
