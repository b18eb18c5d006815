import type { Account, Datacenter, Region } from './provider.ts'

export const regionsAsDatacenters =
  (listRegions: (account: Account) => Promise<Region[]>) =>
  async (account: Account): Promise<Datacenter[]> =>
    (await listRegions(account)).map(({ id, name }) => ({ id, name, region: id }))
