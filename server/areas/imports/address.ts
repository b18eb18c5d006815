import { BlockList, isIP } from 'node:net'
import { typeOf } from '../../remote/ssh/host-key.ts'
import { scanHostKey } from '../../remote/ssh/scan.ts'

/** Milliseconds for all of them together: they are asked at once. */
const LIMIT = 3_000
const MOST = 8

/**
 * Under which of its addresses we reach the server, and the host keys that count: the first address to show one of them,
 * with that one alone, since the others may be anybody's; or, when none does, the one that the call came from, so that
 * there is something to tell and to correct.
 */
export async function chooseAddress(
  candidates: string[],
  port: number,
  hostKeys: string[],
): Promise<{ address: string; hostKeys: string[] } | undefined> {
  const all = [...new Set(candidates.map(plain))].filter(isAddress).slice(0, MOST)
  const types = hostKeys.map(typeOf)
  const showing = all.map(async (address) => {
    const shown = await scanHostKey(address, port, { types, signal: AbortSignal.timeout(LIMIT) })
    if (shown === undefined || !hostKeys.includes(shown)) throw new Error('Another machine answers there.')
    return { address, hostKeys: [shown] }
  })
  return Promise.any(showing).catch(() => {
    const address = all.find((one) => !isLoopback(one)) ?? all[0]
    return address === undefined ? undefined : { address, hostKeys }
  })
}

/** Node shows callers over IPv4 so where it listens on IPv6. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')

/** Link-local addresses mean nothing to another machine; what is none is a name that was made up. */
const isAddress = (address: string) => isIP(address) !== 0 && !linkLocal.check(address, familyOf(address))

const isLoopback = (address: string) => loopback.check(address, familyOf(address))

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

const linkLocal = new BlockList()
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4')
linkLocal.addSubnet('fe80::', 10, 'ipv6')

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')
