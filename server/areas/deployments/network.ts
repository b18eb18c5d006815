import type { Context } from '../../context.ts'
import { underLock } from '../../platform/locks.ts'
import { DockerError } from '../../remote/errors.ts'
import type { Docker } from '../../remote/host.ts'
import { type ApplicationRow, hasOthers } from '../applications/application.ts'
import { lookNameOf, networkNameOf, removeIfUnused, removeNetwork } from '../servers/network.ts'
import { layOut, readSubnet, type Subnet } from './addresses.ts'
import { type Attempt, Failed, hostFor } from './attempt.ts'

/** The parts of Docker's answer that are used. */
interface Network {
  IPAM: { Config: { Subnet: string }[] | null }
}

/** How often another network takes the place that was chosen. */
export const tries = 5

/** Slipway's own network on the server. Its subnet is written down in it: only then can addresses be chosen. */
export async function ensureNetwork(attempt: Attempt): Promise<Subnet> {
  const { docker } = hostFor(attempt)
  const name = networkNameOf(attempt.application.server_id)
  // Docker takes two networks of the same name, so two of us must not make it at once, nor one make and one remove it.
  const written = await underLock(attempt.ctx.pool, name, async (held) => {
    const found = await find(docker, name)
    if (found === undefined) await attempt.entered
    return found ?? make(docker, name, held)
  })
  return readSubnet(written)
}

/** Once no application is left on the server; who makes one and deploys it meanwhile waits, and makes it again. */
export const removeUnusedNetwork = (
  { pool, db }: Pick<Context, 'pool' | 'db'>,
  docker: Docker,
  { workspace_id, id, server_id }: ApplicationRow,
): Promise<void> =>
  underLock(pool, networkNameOf(server_id), async () => {
    if (!(await hasOthers(db, workspace_id, server_id, id))) await removeNetwork(docker, server_id)
  })

async function find(docker: Docker, name: string): Promise<string | undefined> {
  try {
    return subnetOf(await docker.json<Network>({ path: `/networks/${name}` }))
  } catch (error) {
    if (error instanceof DockerError && error.status === 404) return undefined
    throw error
  }
}

async function make(docker: Docker, name: string, held: AbortSignal): Promise<string> {
  for (let nth = 1; ; nth++) {
    const subnet = await findFree(docker, name, held)
    try {
      await createNetwork(docker, held, { Name: name, Driver: 'bridge', IPAM: { Config: [layOut(subnet)] } })
      return subnet
    } catch (error) {
      if (nth === tries || !isOverlap(error)) throw error
    }
  }
}

export const isOverlap = (error: unknown) => error instanceof DockerError && /overlap/i.test(error.message)

/** Docker knows which subnets are free on the server: a network is made to see which it takes, and removed again. */
export async function findFree(docker: Docker, name: string, held: AbortSignal): Promise<string> {
  const look = lookNameOf(name)
  // Of one who was cut off in between.
  await removeIfUnused(docker, look)
  try {
    await createNetwork(docker, held, { Name: look, Driver: 'bridge' })
  } catch (error) {
    if (!(error instanceof DockerError && isUsedUp.test(error.message))) throw error
    throw new Failed(
      'Docker has no addresses left on this server for another network. Remove networks there that nobody needs, or give it more default-address-pools.',
    )
  }
  const subnet = (await find(docker, look)) ?? ''
  await removeIfUnused(docker, look)
  return subnet
}

const isUsedUp = /non-overlapping IPv4 address pool|fully subnetted/i

export const createNetwork = (docker: Docker, signal: AbortSignal, body: object) =>
  docker.json({ signal, method: 'POST', path: '/networks/create', body: { CheckDuplicate: true, ...body } })

function subnetOf({ IPAM: { Config } }: Network): string {
  const subnet = Config?.find(({ Subnet }) => Subnet.includes('.'))?.Subnet
  if (!subnet)
    throw new Failed(
      'Docker gave the network of Slipway no IPv4 addresses on this server. Check its default-address-pools.',
    )
  return subnet
}
