import { ConnectionLost, AuthenticationRefused, RemoteError, HostUnreachable } from '../errors.ts'

export const connectTimeoutSeconds = 8

interface Endpoint {
  port: number
  user: string
  answered: boolean
}

const byCode: Record<string, (where: Endpoint) => string> = {
  ENOTFOUND: () => 'Host name not found. Check the spelling and the DNS record.',
  EAI_AGAIN: () => 'The host name could not be resolved: no DNS server responded. Try again shortly.',
  ECONNREFUSED: ({ port }) =>
    `Connection refused on port ${port}. Check that sshd is running, the SSH port and the firewall.`,
  EHOSTUNREACH: () =>
    'No route to host. Make sure that the server is powered on, and check its network settings.',
  ENETUNREACH: () => 'No route to host. Check the address and the network.',
  ETIMEDOUT: (where) => noAnswerMessage(where),
}

const noAnswerMessage = ({ port, answered }: Endpoint) =>
  answered
    ? `Port ${port} accepts connections, but SSH login timed out after ${connectTimeoutSeconds} seconds. Check sshd on the server.`
    : `Connection timed out after ${connectTimeoutSeconds} seconds on port ${port}. Make sure that the server is running, then check its address and firewall.`

export function toSshError(error: Error & { code?: unknown; level?: unknown }, where: Endpoint): RemoteError {
  const { code, level } = error
  if (level === 'client-authentication')
    return new AuthenticationRefused(
      `The server refused the user ${where.user}. Add Slipway’s public key for this server to ~/.ssh/authorized_keys of that user.`,
    )
  if (/no matching/.test(error.message))
    return new HostUnreachable(
      `sshd offers no secure algorithm (${error.message.replace(/^.*: /, '')}). Update sshd on the server.`,
    )
  const known = typeof code === 'string' ? byCode[code] : undefined
  if (known) return new HostUnreachable(known(where))
  return new HostUnreachable(
    `sshd closed the connection on port ${where.port} before the login. Check that it is an SSH port, and that the server does not block this address.`,
  )
}

export const toConnectError = (error: unknown, where: Endpoint): unknown =>
  error instanceof Error && !(error instanceof RemoteError) ? toSshError(error, where) : error

export const noAnswerError = (where: Endpoint) => new HostUnreachable(noAnswerMessage(where))

export const connectionLostError = (reason?: Error) =>
  new ConnectionLost(
    reason && /keepalive/i.test(reason.message)
      ? 'The connection was lost: the server stopped responding.'
      : 'The connection to the server was lost.',
  )
