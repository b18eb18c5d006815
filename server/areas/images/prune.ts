import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { emit, nudge } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Docker } from '../../remote/host.ts'
import type { Actor } from '../../route.ts'
import { assertCanActAsRoot } from '../servers/act-as-root.ts'
import { withServerHost } from '../servers/server-host.ts'
import { getServerRow, type ServerRow } from '../servers/server.ts'
import { type Image, readImages } from './image.ts'
import { isReleaseImage } from './release-images.ts'
import { removeUnusedImages } from './remove-unused-images.ts'
import { measureFreedBytes } from './shared-layers.ts'

export async function previewPrune(ctx: Context, actor: Actor, id: Id<'server'>, all: boolean) {
  const server = await getServerRow(ctx, actor, id)
  const images = await readImages(ctx, server)
  const going = selectPrunable(images, all)
  const bytesOf = await withServerHost(ctx, server, ({ docker }) => measure(docker, images, going))
  return { images: going.map(presentPruned), bytes: bytesOf(new Set(idsOf(going))) }
}

const idsOf = (images: Image[]) => images.map(({ id }) => id)

/** Skips the measurement when nothing is removed. */
const measure = async (docker: Docker, images: Image[], going: Image[]) =>
  going.length === 0 ? () => 0 : measureFreedBytes(docker, idsOf(images))

/** Keeps images that containers, releases or other images depend on. */
function selectPrunable(images: Image[], all: boolean): Image[] {
  const unused = images.filter(
    ({ usedBy, tags }) => usedBy.length === 0 && !isReleaseImage(tags) && (all || tags.length === 0),
  )
  const ids = new Set(unused.map((one) => one.id))
  const needed = new Set(images.filter((one) => !ids.has(one.id)).map((one) => one.parent))
  return unused.filter((one) => !needed.has(one.id))
}

const presentPruned = ({ id, tags, size }: Image) => ({ id, tags, size_bytes: size })

/** Returns what was actually removed. */
export async function pruneImages(ctx: Context, actor: Actor, id: Id<'server'>, all: boolean) {
  const server = await getServerRow(ctx, actor, id)
  assertCanActAsRoot(actor, server, 'prune images')
  const images = await readImages(ctx, server)
  const going = selectPrunable(images, all)
  const gone = new Set<string>()
  const bytesOf = await withServerHost(ctx, server, ({ docker }) => measure(docker, images, going))
  try {
    await withServerHost(ctx, server, ({ docker }) => removeUnusedImages(docker, going, gone))
  } catch (error) {
    // Images removed before the failure are gone, so record them.
    if (gone.size > 0) await emitPruned(ctx, actor, server, bytesOf(gone))
    throw error
  }
  await emitPruned(ctx, actor, server, bytesOf(gone))
  return { images: going.filter((one) => gone.has(one.id)).map(presentPruned), bytes: bytesOf(gone) }
}

const emitPruned = (ctx: Context, actor: Actor, server: ServerRow, bytes: number) =>
  transaction(ctx.db, async (trx) => {
    const target = { kind: 'server', id: server.id, name: server.name }
    await emit(trx, actor, server.workspace_id, 'image.pruned', target, `and freed ${bytes} bytes`)
    await nudge(trx, server.workspace_id, 'image.changed', server.id)
  })
