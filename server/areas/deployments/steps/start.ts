import { newId } from '../../../platform/ids.ts'
import type { Trx } from '../../../tables.ts'
import { type Instance, insertInstance } from '../../applications/instance.ts'
import type { Release } from '../../applications/release.ts'
import type { Subnet } from '../addresses.ts'
import { type Attempt, hostFor, ownInstances, releaseOf, writeAs } from '../attempt.ts'
import { bringUp } from '../bring-up.ts'
import { chooseAddresses } from '../choose-addresses.ts'
import { findImage } from '../image-of.ts'
import { ensureNetwork } from '../network.ts'
import { ownPortOf } from '../own-port.ts'
import { listTargets } from '../routed.ts'

/** One container for each replica, each with its row first. None of them is routed yet. */
export async function start(attempt: Attempt): Promise<void> {
  const release = releaseOf(attempt)
  const [subnet, image, targets] = await Promise.all([
    ensureNetwork(attempt),
    findImage(hostFor(attempt).docker, release.image_id, attempt.signal),
    listTargets(attempt.ctx.db, attempt.application),
  ])
  const port = ownPortOf(release, image, targets)
  if (port === null && targets.some((one) => one.port === null))
    attempt.log.say(
      'No port is set and the image does not name one, so its generated address leads nowhere. Set the port if it takes requests.',
    )
  const instances = await writeAs(attempt, (trx) => reserve(attempt, trx, release, { subnet, port }))
  attempt.signal.throwIfAborted()
  // All come to their end, so that nothing is made while it is being undone.
  const made = await Promise.allSettled(instances.map((one) => bringUp(attempt, release, one, subnet)))
  const failed = made.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
}

/** The rows of those that are not there yet; an earlier try may have made some. */
async function reserve(
  attempt: Attempt,
  trx: Trx,
  release: Release,
  { subnet, port }: { subnet: Subnet; port: number | null },
): Promise<Instance[]> {
  const { workspace_id, server_id, id: application_id } = attempt.application
  const own = await ownInstances(attempt, trx)
  const missing = Array.from({ length: release.config.replicas }, (_, index) => index + 1).filter(
    (replica) => !own.some((one) => one.replica === replica),
  )
  const addresses = await chooseAddresses(attempt, trx, subnet, missing.length)
  for (const [index, address] of addresses.entries())
    own.push(
      await insertInstance(trx, {
        id: newId('instance'),
        workspace_id,
        application_id,
        server_id,
        deployment_id: attempt.deployment.id,
        release_id: release.id,
        replica: missing[index] ?? 0,
        address,
        port,
        state: 'starting',
      }),
    )
  return own
}
