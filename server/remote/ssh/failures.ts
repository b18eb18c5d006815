import { Lost, Refused, RemoteError, Unreachable } from '../errors.ts'

/** Seconds for all of it: name, TCP, handshake, log-in. */
export const patience = 8

interface Where {
  port: number
  user: string
  /** Whether anything answered on the port. */
  answered: boolean
}

const byCode: Record<string, (where: Where) => string> = {
  ENOTFOUND: () => 'Its address is a name that no name server knows. Check the spelling and the DNS record.',
  EAI_AGAIN: () => 'Its name could not be looked up: no name server answered. Try again shortly.',
  ECONNREFUSED: ({ port }) =>
    `The connection was refused on port ${port}. Check that sshd runs there, the SSH port and the firewall.`,
  EHOSTUNREACH: () => 'There is no route to its address. Check that the server is on, and its network.',
  ENETUNREACH: () => 'There is no route to its address. Check the address and the network.',
  ETIMEDOUT: (where) => silence(where),
}

const silence = ({ port, answered }: Where) =>
  answered
    ? `Port ${port} takes connections, but there was no SSH log-in within ${patience} seconds. Check that sshd runs well there.`
    : `There was no answer within ${patience} seconds on port ${port}. Check that the server is on, the address and the firewall.`

/** What ssh2 says, as a sentence for a person. */
export function failureOf(error: Error & { code?: unknown; level?: unknown }, where: Where): RemoteError {
  const { code, level } = error
  if (level === 'client-authentication')
    return new Refused(
      `The server refused the user ${where.user}. Add this server’s public key to ~/.ssh/authorized_keys of that user.`,
    )
  if (/no matching/.test(error.message))
    return new Unreachable(
      `Its sshd offers no method that is considered safe today (${error.message.replace(/^.*: /, '')}). Update it.`,
    )
  const known = typeof code === 'string' ? byCode[code] : undefined
  if (known) return new Unreachable(known(where))
  return new Unreachable(
    `Its sshd closed the connection on port ${where.port} before the log-in. Check that it is an SSH port, and that this address is not blocked there.`,
  )
}

/** The same of anything that was thrown before there was a socket. */
export const failed = (error: unknown, where: Where): unknown =>
  error instanceof Error && !(error instanceof RemoteError) ? failureOf(error, where) : error

export const noAnswer = (where: Where) => new Unreachable(silence(where))

export const lost = (why?: Error) =>
  new Lost(
    why && /keepalive/i.test(why.message)
      ? 'The connection was lost: the server stopped answering.'
      : 'The connection to the server was lost.',
  )
