export class RemoteError extends Error {}

export class HostUnreachable extends RemoteError {}

/**
 * The sentence is always the same, and nothing is sent to the address, so that the error does not reveal whether a port
 * is open.
 */
export class AddressNotAllowed extends HostUnreachable {
  constructor() {
    super(addressNotAllowedMessage)
  }
}

export const addressNotAllowedMessage =
  'Slipway does not connect to this address because it is a loopback, link-local, metadata or disallowed private address. An instance owner can allow its range.'

export class ConnectionLost extends RemoteError {}

export class TargetOutdated extends ConnectionLost {
  constructor() {
    super('The connection settings of this server changed. Try again.')
  }
}

export class AuthenticationRefused extends RemoteError {}

export class HostKeyUnknown extends RemoteError {
  readonly offered: string
  constructor(offered: string) {
    super('The host key of this server is not confirmed yet.')
    this.offered = offered
  }
}

export class HostKeyChanged extends RemoteError {
  readonly offered: string
  constructor(offered: string) {
    super('The server presented a different host key than the confirmed one.')
    this.offered = offered
  }
}

export class RemoteTimeout extends RemoteError {}

export class FileMissing extends RemoteError {}

export class DockerUnavailable extends RemoteError {}

/** Thrown when Slipway and Docker support no common API version. */
export class DockerUnsupported extends RemoteError {}

export class DockerError extends RemoteError {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
