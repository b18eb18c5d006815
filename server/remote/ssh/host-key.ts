import { type Algorithms, Client, type ServerHostKeyAlgorithm } from 'ssh2'
import type { Socket } from 'node:net'
import { connectTimeoutSeconds, noAnswerError, toConnectError, toSshError } from './ssh-errors.ts'
import { type MayConnect, openSocket } from './open-socket.ts'
import { HostKeyChanged, HostKeyUnknown } from '../errors.ts'

export const formatHostKey = (key: Buffer): string =>
  `${key.subarray(4, 4 + key.readUInt32BE(0)).toString('latin1')} ${key.toString('base64')}`

export const hostKeyType = (hostKey: string): string => hostKey.split(' ', 1)[0] ?? ''

/** Preferred types come first. SHA-1 signatures are excluded, because they can be forged. */
const signatures: Record<string, ServerHostKeyAlgorithm[]> = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256'],
}

const keyTypes: readonly string[] = Object.keys(signatures)

export function algorithmsFor(types: readonly string[]): Algorithms {
  const preferred = keyTypes.filter((type) => types.includes(type))
  return {
    kex: [
      'curve25519-sha256',
      'curve25519-sha256@libssh.org',
      'ecdh-sha2-nistp256',
      'ecdh-sha2-nistp384',
      'ecdh-sha2-nistp521',
      'diffie-hellman-group16-sha512',
      'diffie-hellman-group14-sha256',
      'diffie-hellman-group-exchange-sha256',
    ],
    cipher: [
      'aes128-gcm@openssh.com',
      'aes256-gcm@openssh.com',
      'chacha20-poly1305@openssh.com',
      'aes128-ctr',
      'aes192-ctr',
      'aes256-ctr',
    ],
    hmac: [
      'hmac-sha2-256-etm@openssh.com',
      'hmac-sha2-512-etm@openssh.com',
      'hmac-sha2-256',
      'hmac-sha2-512',
    ],
    compress: ['none'],
    serverHostKey: (preferred.length > 0 ? preferred : keyTypes).flatMap((type) => signatures[type] ?? []),
  }
}

/**
 * Creates a host key verification that accepts only confirmed host keys, and refuses a server whose host key changed.
 */
export function createHostKeyCheck(confirmed: readonly string[]) {
  let offered: string | undefined
  return {
    algorithms: algorithmsFor(confirmed.map(hostKeyType)),
    offered: () => offered,
    verify: (key: Buffer) => {
      offered = formatHostKey(key)
      return confirmed.includes(offered)
    },
    /** Throws if the connection failed because the host key is not confirmed or has changed. */
    async assertNotRefused(error: unknown, scan: () => Promise<string | undefined>): Promise<void> {
      if (offered !== undefined && confirmed.length === 0) throw new HostKeyUnknown(offered)
      if (offered !== undefined && !confirmed.includes(offered)) throw new HostKeyChanged(offered)
      // A server without a key of the confirmed types is another machine.
      if (confirmed.length === 0 || !String(error).includes('host key format')) return
      const shown = await scan()
      if (shown !== undefined) throw new HostKeyChanged(shown)
    },
  }
}

interface Options {
  mayConnect: MayConnect
  types?: readonly string[] | undefined
  signal?: AbortSignal | undefined
}

/**
 * Reads the host key of a server, or undefined if it has none of the types. Uses one handshake without login, because
 * sshd blocks clients that open many.
 */
export function scanHostKey(
  address: string,
  port: number,
  { mayConnect, types = [], signal }: Options,
): Promise<string | undefined> {
  const client = new Client()
  const where = { port, user: '', answered: false }
  let limit: NodeJS.Timeout | undefined
  let socket: Socket | undefined
  let isGivenUp = false
  return new Promise<string | undefined>((resolve, reject) => {
    limit = setTimeout(() => reject(noAnswerError(where)), connectTimeoutSeconds * 1_000)
    const fail = (error: Error) => {
      if (types.length > 0 && error.message.includes('no matching host key')) resolve(undefined)
      else reject(toSshError(error, where))
    }
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    client
      .on('connect', () => (where.answered = true))
      .on('error', fail)
      .on('close', () => fail(new Error('closed')))
    const start = (sock: Socket) => {
      socket = sock.on('error', () => {})
      if (isGivenUp) sock.destroy()
      else
        client.connect({
          sock,
          username: 'nobody',
          readyTimeout: 0,
          algorithms: algorithmsFor(types),
          hostVerifier: (key: Buffer) => {
            resolve(formatHostKey(key))
            return false
          },
        })
    }
    openSocket(address, port, mayConnect)
      .then(start)
      .catch((error: unknown) => reject(toConnectError(error, where)))
  }).finally(() => {
    isGivenUp = true
    clearTimeout(limit)
    client.destroy()
    socket?.destroy()
  })
}
