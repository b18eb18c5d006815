import { lookup } from 'node:dns/promises'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { AddressNotAllowed } from '../errors.ts'

export type MayConnect = (address: string) => Promise<boolean>

/** Connects only to the checked addresses, so that a DNS change after the check has no effect. */
export async function openSocket(host: string, port: number, mayConnect: MayConnect): Promise<Socket> {
  const addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await lookup(host, { all: true })
  const may = await Promise.all(addresses.map(({ address }) => mayConnect(address)))
  const allowed = addresses.filter((_, index) => may[index])
  const [first] = allowed
  if (!first) throw new AddressNotAllowed()
  const pinned: LookupFunction = (_name, options, done) =>
    options.all ? done(null, allowed) : done(null, first.address, first.family)
  return connect({ host, port, lookup: pinned })
}
