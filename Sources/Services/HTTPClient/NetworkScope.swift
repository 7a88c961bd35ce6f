/// The network addresses that requests may go to.
///
/// Each address is checked when connecting, so that a changed DNS record cannot bypass the check.
package enum NetworkScope: Sendable {
    /// Any address, encrypted or not; for URLs that the operator configured.
    case anywhere
    /// Only `https` and addresses of the public Internet; for URLs that come from outside.
    case publicOnly
    /// Only loopback, encrypted or not; for tests.
    case loopbackOnly
}
