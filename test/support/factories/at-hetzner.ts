import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../../server/context.ts'
import { makeCloudServer } from './cloud-factories.ts'
import type { startFakeHetzner } from '../fakes/clouds/hetzner.ts'

interface Owned {
  workspace: Id<'workspace'>
  cloudToken: Id<'cloudToken'>
}

export const kind = { region: 'fsn1', type: 'cx23', image: 'debian-12' }

/** A running server at Hetzner without a connection. */
export async function makeAtHetzner(
  ctx: Pick<Context, 'db' | 'secrets'>,
  hetzner: Awaited<ReturnType<typeof startFakeHetzner>>,
  { workspace, cloudToken }: Owned,
  name: string,
  given: Parameters<typeof makeCloudServer>[4] = {},
) {
  const there = hetzner.addServer({ name, ...kind })
  const { region, type } = kind
  const id = await makeCloudServer(
    ctx,
    workspace,
    cloudToken,
    { cloud_id: there.id, address: there.address },
    { name, region, type, address: there.address, status: 'pending', ...given },
  )
  there.labels['slipway'] = id
  return { id, there }
}
