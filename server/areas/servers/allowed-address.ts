import { isIP } from 'node:net'
import type { Context } from '../../context.ts'
import { Invalid } from '../../errors.ts'
import { mayConnect } from '../../platform/net/address-range.ts'
import { lookUpName } from '../../platform/net/resolve.ts'
import { addressNotAllowed } from '../../remote/errors.ts'
import type { MayConnect } from '../../remote/ssh/open-socket.ts'
import { getSettings } from '../../settings.ts'

/** By the settings of the instance as they are at that moment. */
export const mayConnectTo =
  (ctx: Context): MayConnect =>
  async (address) =>
    mayConnect(address, await getSettings(ctx))

/**
 * 422 for an address, or a name that leads only to addresses, that no server may have here. A name that leads nowhere yet is
 * taken: every connection looks again.
 */
export async function mustBeAllowed(ctx: Context, address: string): Promise<void> {
  const found = isIP(address) ? [address] : await lookUpName(address)
  if (found.length === 0) return
  const may = await Promise.all(found.map(mayConnectTo(ctx)))
  if (!may.includes(true)) throw new Invalid({ address: [addressNotAllowed] })
}
