import type { Account, Datacenter, Region } from './provider.ts'

/** Of a cloud that does not tell its datacenters apart from its regions. */
export const regionsAsDatacenters =
  (listRegions: (account: Account) => Promise<Region[]>) =>
  async (account: Account): Promise<Datacenter[]> =>
    (await listRegions(account)).map(({ id, name }) => ({ id, name, region: id }))
