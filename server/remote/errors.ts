/** A failure on a server. The message is a sentence without the server's name. */
export class RemoteError extends Error {}

/** Could not connect: refused, no route, timeout or unknown name. */
export class HostUnreachable extends RemoteError {}

/**
 * The address is in a forbidden range. Always the same sentence, and nothing is sent, so that it does not reveal
 * whether a port is open.
 */
export class AddressNotAllowed extends HostUnreachable {
  constructor() {
    super(addressNotAllowedMessage)
  }
}

export const addressNotAllowedMessage =
  'Slipway does not connect to this address: it is a loopback, link-local or metadata address, or a private one where those are not allowed. The instance owner can allow its range.'

/** The connection was lost during an operation. */
export class ConnectionLost extends RemoteError {}

/** The connection settings changed: read the server's row again. */
export class TargetOutdated extends ConnectionLost {
  constructor() {
    super('The connection settings of this server changed. Try again.')
  }
}

/** The server rejected the key or the user. */
export class AuthenticationRefused extends RemoteError {}

/** No host key is confirmed yet; this one was presented. */
export class HostKeyUnknown extends RemoteError {
  /** Formatted as `ssh-ed25519 AAAA…`. */
  readonly offered: string
  constructor(offered: string) {
    super('The host key of this server is not confirmed yet.')
    this.offered = offered
  }
}

/** The server presented another host key than the confirmed one. */
export class HostKeyChanged extends RemoteError {
  readonly offered: string
  constructor(offered: string) {
    super('The server presented a different host key than the confirmed one.')
    this.offered = offered
  }
}

export class RemoteTimeout extends RemoteError {}

export class FileMissing extends RemoteError {}

/** Docker is not installed, not running, or not accessible to this user. */
export class DockerUnavailable extends RemoteError {}

/** Docker responded with an error. */
export class DockerError extends RemoteError {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
