import { BlockList, isIP } from 'node:net'
import type { Context } from '../../context.ts'
import { Invalid } from '../../errors.ts'
import { addressNotAllowedMessage } from '../../remote/errors.ts'
import { hostKeyType, scanHostKey } from '../../remote/ssh/host-key.ts'
import { canConnectTo } from '../servers/allowed-address.ts'

/** Milliseconds for all of them together: they are asked at once. */
const LIMIT = 3_000
const MOST = 8

/**
 * Chooses the first address that presents one of the reported host keys, and keeps only that key. Falls back
 * to the address of the request, so that users see and can correct it.
 */
export async function chooseAddress(
  ctx: Context,
  candidates: string[],
  port: number,
  hostKeys: string[],
): Promise<{ address: string; hostKeys: string[] }> {
  const addresses = [...new Set(candidates.map(plain))].filter((address) => isIP(address) !== 0)
  const may = await Promise.all(addresses.map(canConnectTo(ctx)))
  const all = addresses.filter((_, index) => may[index]).slice(0, MOST)
  const showing = all.map(async (address) => {
    const shown = await findShownHostKey(ctx, address, port, hostKeys)
    if (shown === undefined) throw new Error('Another machine responds at that address.')
    return { address, hostKeys: [shown] }
  })
  return Promise.any(showing).catch(() => {
    const address = all.find((candidate) => !isLoopback(candidate)) ?? all[0]
    if (address === undefined)
      throw new Invalid({
        addresses: [
          addresses.length > 0 ? addressNotAllowedMessage : 'Must contain an IP address of the server.',
        ],
      })
    return { address, hostKeys }
  })
}

export async function findShownHostKey(
  ctx: Context,
  address: string,
  port: number,
  hostKeys: string[],
): Promise<string | undefined> {
  const options = {
    types: hostKeys.map(hostKeyType),
    signal: AbortSignal.timeout(LIMIT),
    mayConnect: canConnectTo(ctx),
  }
  const shown = await scanHostKey(address, port, options).catch(() => undefined)
  return shown !== undefined && hostKeys.includes(shown) ? shown : undefined
}

/** Node reports IPv4 clients of an IPv6 socket in this form. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')

const isLoopback = (address: string) => loopback.check(address, getFamily(address))

const getFamily = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')
