import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { StaleCache } from '../../platform/cache.ts'
import { onWorkerThread } from '../../platform/worker-thread.ts'
import { type Actor, hasPermission } from '../../route.ts'
import { type ApplicationConfig, readApplicationConfig } from './config.ts'
import { findRelease, openReleaseConfiguration } from './release.ts'
import { indexValues, maskValues, type ValueIndex, withheldText } from './sensitive-values.ts'
import { findApplication, listRevisions } from './application.ts'

/** A configuration to mask. The index of its values is cached under `key`, which identifies the content. */
export interface MaskedSource {
  key: string
  read: () => Promise<
    (Pick<ApplicationConfig, 'env' | 'compose'> & { config: ApplicationConfig['config'] | null }) | undefined
  >
}

type Redactor = (text: string) => string

const indexOffLoop = onWorkerThread(
  new URL('./sensitive-values.js', import.meta.url),
  'indexValues',
  indexValues,
)
const mostCharacters = 8_000_000

export const createValueIndexes = () =>
  new StaleCache<ValueIndex>(Infinity, mostCharacters, ({ characters }) => characters)

/** Masks values of these configurations; withholds the text while they cannot be read. */
export async function createRedactor(
  { log, valueIndexes }: Pick<Context, 'log' | 'valueIndexes'>,
  workspaceId: Id<'workspace'>,
  sources: readonly MaskedSource[],
): Promise<Redactor> {
  const readIndex = async ({ read }: MaskedSource) => {
    const index = await read()
    if (!index) return indexValues(null)
    const { command, labels, build } = index.config ?? { command: null, labels: [] }
    const config = { command, labels, ...(build && { build }) }
    return indexOffLoop(`reads of ${workspaceId}`, {
      config,
      env: index.env,
      compose: index.compose?.text ?? null,
    })
  }
  const indexes: ValueIndex[] = []
  try {
    // Sequential: the number of queued worker tasks per workspace is limited.
    for (const source of sources) {
      const { value } = await valueIndexes.get(
        source.key,
        () => readIndex(source),
        () => false,
      )
      indexes.push(value)
    }
  } catch (error) {
    log.warn({ reason: String(error) }, 'Failed to read the values to mask; the texts are hidden')
    return () => withheldText
  }
  return (text) => maskValues(text, indexes)
}

export const releaseSource = (
  ctx: Context,
  workspaceId: Id<'workspace'>,
  id: Id<'release'>,
): MaskedSource => ({
  key: id,
  async read() {
    const release = await findRelease(ctx.db, workspaceId, id)
    return release && openReleaseConfiguration(ctx, release)
  },
})

export async function applicationSources(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  ids: readonly Id<'application'>[],
): Promise<Map<Id<'application'>, MaskedSource[]>> {
  const rows = await listRevisions(ctx.db, workspaceId, ids)
  return new Map(
    rows.map(({ id, revision, release_id }) => {
      const configured: MaskedSource = {
        key: `${id} ${revision}`,
        async read() {
          const row = await findApplication(ctx.db, workspaceId, id)
          return row && readApplicationConfig(ctx, ctx.db, row)
        },
      }
      return [id, [configured, ...(release_id ? [releaseSource(ctx, workspaceId, release_id)] : [])]]
    }),
  )
}

/**
 * Masks texts for callers without permission to manage the applications. Texts about deleted applications are
 * withheld; texts without an application are unchanged.
 */
export async function createActorRedactor(
  ctx: Context,
  actor: Actor,
  ids: readonly (Id<'application'> | null)[],
): Promise<(id: Id<'application'> | null, text: string) => string> {
  if (hasPermission(actor, 'applications.manage')) return (_, text) => text
  const known = ids.filter((id) => id !== null)
  const redactors = new Map<string, Redactor>()
  for (const [id, sources] of await applicationSources(ctx, actor.workspace.id, known))
    redactors.set(id, await createRedactor(ctx, actor.workspace.id, sources))
  return (id, text) => (id === null ? text : (redactors.get(id)?.(text) ?? withheldText))
}
