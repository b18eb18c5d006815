import { isIP } from 'node:net'
import type { Context } from '../../context.ts'
import { Invalid } from '../../errors.ts'
import { isConnectionAllowed } from '../../platform/net/address-range.ts'
import { lookUpWithSystem } from '../../platform/net/resolve.ts'
import { addressNotAllowedMessage } from '../../remote/errors.ts'
import type { MayConnect } from '../../remote/ssh/open-socket.ts'
import { getSettings } from '../../settings.ts'

export const canConnectTo =
  (ctx: Context): MayConnect =>
  async (address) =>
    isConnectionAllowed(address, await getSettings(ctx))

/** Names that cannot be resolved pass, because every connection checks its address again. */
export async function assertAddressAllowed(ctx: Context, address: string): Promise<void> {
  const addresses = isIP(address) ? [address] : await lookUpWithSystem(address)
  if (addresses.length === 0) return
  const may = await Promise.all(addresses.map(canConnectTo(ctx)))
  if (!may.includes(true)) throw new Invalid({ address: [addressNotAllowedMessage] })
}
