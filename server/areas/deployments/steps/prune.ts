import type { Context } from '../../../context.ts'
import type { Trx } from '../../../tables.ts'
import { type ApplicationRow, findApplication } from '../../applications/application.ts'
import { listInstances } from '../../applications/instance.ts'
import {
  composeOf,
  findRelease,
  findReleases,
  keptReleases,
  listLiveReleases,
  type Release,
  updateRelease,
} from '../../applications/release.ts'
import { hostOf } from '../../servers/reach.ts'
import type { ServerRow } from '../../servers/server.ts'
import { networksFor, removeNetworks } from '../compose/compose-networks.ts'
import { networksInUse, removeSpareNetworks } from '../networks/own-networks.ts'
import { letImagesGo } from '../images/release-images.ts'
import { lockUnderWay } from '../run/store.ts'

interface Pruning {
  ctx: Context
  server: ServerRow
  application: Pick<ApplicationRow, 'workspace_id' | 'id'>
  /** A transaction of whoever may change the rows, in which nobody else changes the application. */
  write: (work: (trx: Trx) => Promise<void>) => Promise<void>
  signal: AbortSignal
}

/** The last releases that were live keep their images on the server; older ones lose them. Networks that nothing needs go. Safe to do again. */
export async function prune({ ctx, server, application, write, signal }: Pruning): Promise<void> {
  await letImagesGo(hostOf(ctx, server).docker, application.id, signal, async () => {
    let decided: { releases: Release[]; staying: Release[] } = { releases: [], staying: [] }
    await write(async (trx) => {
      decided = await decide(trx, application)
    })
    return decided
  })
  const now = await findApplication(ctx.db, application.workspace_id, application.id)
  if (!now) return
  const { docker } = hostOf(ctx, server)
  await removeNetworks(ctx, docker, now, await listNeeded(ctx, now))
  await removeSpareNetworks(ctx, docker, now)
}

/** The networks in which something runs, or is to run again. */
async function listNeeded(ctx: Context, application: ApplicationRow): Promise<Set<string>> {
  const { workspace_id, id, release_id } = application
  const instances = await listInstances(ctx.db, workspace_id, id)
  const ids = [release_id, ...instances.map((one) => one.release_id)].filter((one) => one !== null)
  const releases = await findReleases(ctx.db, workspace_id, ids)
  const models = releases.flatMap((release) => composeOf(ctx, release)?.model ?? [])
  return new Set([
    ...networksInUse(instances),
    ...models.flatMap((model) => networksFor(application, model, [])).map(({ name }) => name),
  ])
}

/** Written down before it is done: nobody begins to go back to what is about to go. */
async function decide(trx: Trx, { workspace_id, id }: Pruning['application']) {
  const releases = await listLiveReleases(trx, workspace_id, id)
  const instances = await listInstances(trx, workspace_id, id)
  const underWay = await lockUnderWay(trx, workspace_id, id)
  const used = new Set([...instances, ...underWay].map((one) => one.release_id))
  const staying = releases.filter((one, place) => place < keptReleases || used.has(one.id))
  for (const release of releases)
    if (release.kept && !staying.includes(release))
      await updateRelease(trx, workspace_id, release.id, { kept: false })
  // One whose image is just being fetched was never live.
  for (const one of underWay) {
    const release = one.release_id && (await findRelease(trx, workspace_id, one.release_id))
    if (release) staying.push(release)
  }
  return { releases, staying }
}
