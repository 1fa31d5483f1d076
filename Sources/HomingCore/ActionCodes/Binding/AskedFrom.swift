// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
import HomingWire

/// Who asked, as the page and the mail say it to the person who is to decide whether that was they: the kind of device,
/// and roughly the network.
package struct AskedFrom: Sendable, Equatable {
    package let device: Device?
    /// `192.0.2.0/24` or `2001:db8::/48`; nil where the address of the caller is not known.
    package let network: String?

    package init(device: Device?, network: String?) {
        self.device = device
        self.network = network
    }

    /// - Parameter address: the caller's, of which only the network is kept.
    package init(device: Device?, address: IPAddress?) {
        self.init(device: device, network: address?.neighbourhood)
    }

    /// Whether somebody is surely not where this was asked: on another system, and in another network. One of them alone
    /// tells nothing, because people change networks, and a device may name itself in two ways.
    package func isElsewhere(than other: AskedFrom) -> Bool {
        guard let system = device?.system, let otherSystem = other.device?.system, let network,
            let otherNetwork = other.network
        else { return false }
        return system != otherSystem && !network.utf8.elementsEqual(otherNetwork.utf8)
    }

    // MARK: In the database

    /// The JSON in the code's row; nil when there is nothing to keep.
    var stored: String? {
        guard device != nil || network != nil else { return nil }
        var object = JSON.Object()
        object["browser"] = (device?.browser).map { .string($0.rawValue) }
        object["system"] = device.map { .string($0.system.rawValue) }
        object["network"] = network.map { .string($0) }
        return object.stored
    }

    init(stored text: String) throws {
        let object = try JSON.Object(stored: text)
        let system = object["system"]?.stringValue.flatMap(Device.System.init)
        self.init(
            device: system.map {
                Device(browser: object["browser"]?.stringValue.flatMap(Device.Browser.init), system: $0)
            },
            network: object["network"]?.stringValue)
    }
}
