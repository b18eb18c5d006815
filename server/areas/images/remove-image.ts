import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { imageConflict, imageReserved, notFound } from '../../errors.ts'
import { emit, nudge } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import { DockerError } from '../../remote/errors.ts'
import type { Docker } from '../../remote/host.ts'
import type { Actor } from '../../route.ts'
import { getServerRow } from '../servers/server.ts'
import { assertCanActAsRoot } from '../servers/root-access.ts'
import { withServerHost } from '../servers/server-host.ts'
import { imageTarget, onServer } from './image.ts'
import { imagePath, isReleaseImage } from '../registries/image-reference.ts'

const removeTimeoutMs = 120_000

interface ImageInspection {
  Id: string
  RepoTags: string[] | null
}

export async function removeImage(
  ctx: Context,
  actor: Actor,
  { id, name }: { id: Id<'server'>; name: string },
  { force }: { force: boolean },
): Promise<void> {
  const server = await getServerRow(ctx, actor, id)
  if (force) assertCanActAsRoot(actor, server, 'remove images by force')
  const path = imagePath(name)
  if (path === undefined) throw notFound('This image')
  const removed = await withServerHost(ctx, server, ({ docker }) => remove(docker, path, name, force))
  await transaction(ctx.db, async (trx) => {
    await emit(trx, actor, server.workspace_id, 'image.removed', imageTarget(removed), onServer(server))
    await nudge(trx, server.workspace_id, 'image.changed', server.id)
  })
}

async function remove(docker: Docker, path: string, name: string, force: boolean): Promise<string> {
  try {
    const { Id: id, RepoTags: tags } = await docker.json<ImageInspection>({ path: `${path}/json` })
    const isById = id.replace('sha256:', '').startsWith(name.replace('sha256:', ''))
    // Other tags can be removed: the image stays under its release tag.
    if (!force && isReleaseImage(isById ? (tags ?? []) : [name])) throw imageReserved(name)
    const query = new URLSearchParams({ force: String(force) }).toString()
    await docker.json({ method: 'DELETE', path: `${path}?${query}`, timeout: removeTimeoutMs })
    return isById ? (tags?.[0] ?? id.slice(0, 19)) : name
  } catch (error) {
    if (!(error instanceof DockerError)) throw error
    if (error.status === 404 || error.status === 400) throw notFound('This image')
    if (error.status === 409) throw imageConflict(name, error.message)
    throw error
  }
}
