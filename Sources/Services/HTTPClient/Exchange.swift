import CCurl

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The data sent and received by one transfer; only used by the thread of the transfer.
final class Exchange {
    var outgoing: ArraySlice<UInt8> = []
    private let admits: ((NetworkAddress) -> Bool)?
    private let bodyLimit: Int
    private(set) var body: [UInt8] = []
    /// The lines of the last SMTP reply or of the head of the last HTTP response.
    private(set) var lines: [String] = []
    private var command = ""
    /// The last SMTP command before `QUIT`.
    private var lastCommand: String?
    private(set) var isForbidden = false
    private(set) var isTooLarge = false
    private var headSize = 0

    /// The size in bytes above which the headers or replies of a server abort the transfer.
    private static let headLimit = 1 << 18

    init(admits: ((NetworkAddress) -> Bool)?, bodyLimit: Int) {
        self.admits = admits
        self.bodyLimit = bodyLimit
    }

    /// The first word of the last command sent, for SMTP.
    var replyingCommand: String { lastCommand ?? command }

    /// Receives bytes of a body; false if there are too many.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        isTooLarge = isTooLarge || bytes.count > bodyLimit - body.count
        if !isTooLarge { unsafe body.append(contentsOf: bytes) }
        return !isTooLarge
    }

    /// Receives a line of an SMTP reply or of the head of an HTTP response; false if there are too
    /// many.
    func receive(line bytes: UnsafeRawBufferPointer) -> Bool {
        headSize += bytes.count
        isTooLarge = isTooLarge || headSize > Self.headLimit
        // The reply to `QUIT` is not part of the result.
        if command == "QUIT" { return true }
        let line = unsafe String(decoding: bytes, as: UTF8.self)
        let text = String(line.prefix { !$0.isNewline })
        // A response begins with its version. The last line of a reply has a space after its code.
        let isHTTP = lines.first?.hasPrefix("HTTP/") ?? false
        let isFirst = isHTTP ? text.hasPrefix("HTTP/") : lines.last?.dropFirst(3).first != "-"
        if isFirst { lines = [] }
        lines.append(text)
        return !isTooLarge
    }

    func note(command bytes: UnsafeRawBufferPointer) {
        let word = unsafe bytes.prefix { $0 > 0x20 }
        let name = unsafe String(decoding: word, as: UTF8.self).uppercased()
        if name == "QUIT" { lastCommand = command }
        command = name
    }

    func admit(_ address: NetworkAddress?) -> Bool {
        guard let admits else { return true }
        let isAdmitted = address.map(admits) ?? false
        if !isAdmitted { isForbidden = true }
        return isAdmitted
    }
}

private func exchange(_ context: UnsafeMutableRawPointer) -> Exchange {
    // Passed unretained by `Transfer.perform`, which holds the object until curl is done.
    unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
}

let receiveBody: viavai_transfer_function = { bytes, size, count, context in
    guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
    let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return unsafe exchange(context).receive(buffer) ? size * count : 0
}

let receiveLine: viavai_transfer_function = { bytes, size, count, context in
    guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
    let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return unsafe exchange(context).receive(line: buffer) ? size * count : 0
}

let sendMore: viavai_transfer_function = { bytes, size, count, context in
    guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
    let exchange = unsafe exchange(context)
    let piece = exchange.outgoing.prefix(size * count)
    let buffer = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
    unsafe buffer.copyBytes(from: piece)
    exchange.outgoing = exchange.outgoing.dropFirst(piece.count)
    return piece.count
}

let noteCommand: curl_debug_callback = { _, type, bytes, count, context in
    if type == CURLINFO_HEADER_OUT, let bytes = unsafe bytes, let context = unsafe context {
        unsafe exchange(context).note(command: UnsafeRawBufferPointer(start: bytes, count: count))
    }
    return 0
}

let openSocket: curl_opensocket_callback = { context, _, address in
    guard let context = unsafe context, let address = unsafe address else {
        return CURL_SOCKET_BAD
    }
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = unsafe viavai_address_bytes(address, &bytes)
    let found = NetworkAddress(bytes: Array(bytes.prefix(count)))
    guard unsafe exchange(context).admit(found) else { return CURL_SOCKET_BAD }
    let place = unsafe address.pointee
    return socket(place.family, place.socktype | Int32(SOCK_CLOEXEC.rawValue), place.protocol)
}
