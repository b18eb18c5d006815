import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { updateApplication as contract } from '../../../contract/applications.ts'
import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, notFound } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { getServerRow } from '../servers/server.ts'
import { changeApplication, getApplicationRow } from './application.ts'
import { checkSource, composeColumns, openCompose } from './compose.ts'
import { readConfigured } from './config.ts'
import { cpuProblems } from './fits.ts'
import { detailsOf } from './list-applications.ts'
import { noteChange } from './noted.ts'
import { mustBeFine } from './ports.ts'
import { requestProxySync } from './proxy-sync.ts'
import type { ApplicationRow } from './store.ts'
import { withApplication } from './with-application.ts'

type Given = z.output<(typeof contract)['body']>

/** What its containers are made of waits for the next deployment; its name and maintenance do not. */
export async function updateApplication(ctx: Context, actor: Actor, id: Id<'application'>, given: Given) {
  await mustFit(ctx, actor, id, given)
  const row = await withApplication(ctx, actor, id, async (trx, application) => {
    const { health, ...plain } = changesOf(application, given)
    const compose = await composeChanges(ctx, trx, application, given.source)
    const names = [...Object.keys({ ...plain, ...(health && { health }) }), ...(compose ? ['compose'] : [])]
    if (names.length === 0) return application
    const changes = { ...plain, ...(health && { health: JSON.stringify(health) }), ...compose }
    const now = await changeApplication(trx, actor.workspace.id, id, changes)
    if (!now) throw notFound('This application')
    if (plain.maintenance !== undefined) await requestProxySync(ctx, trx, now)
    await noteChange(trx, actor, now, 'application.updated', names)
    return now
  })
  return detailsOf(ctx, row)
}

async function mustFit(ctx: Context, actor: Actor, id: Id<'application'>, given: Given): Promise<void> {
  if (typeof given.cpu_limit !== 'number') return
  const application = await getApplicationRow(ctx, actor, id)
  mustBeFine(cpuProblems(await getServerRow(ctx, actor, application.server_id), given.cpu_limit))
}

type Changes = Partial<Omit<Given, 'source'> & Pick<ApplicationRow, 'image' | 'source_type'>>

/** Of another file than the one there is, or other profiles. An application stays what it was made as. */
async function composeChanges(ctx: Context, trx: Trx, application: ApplicationRow, source: Given['source']) {
  if (!source) return undefined
  const before = openCompose(ctx, application)
  if ('compose' in source !== (before !== null)) throw otherKind(before !== null)
  if (!('compose' in source) || !before) return undefined
  if (before.text === source.compose && isDeepStrictEqual(before.profiles, source.profiles)) return undefined
  const { env } = await readConfigured(ctx, trx, application)
  const read = checkSource(source, env)
  mustBeFine(read.problems)
  return composeColumns(ctx, application.id, source, read)
}

const otherKind = (isCompose: boolean) =>
  conflict(
    'source_kind',
    isCompose
      ? 'This application is a compose file, and cannot become a single image. Make another application for the image.'
      : 'This application is a single image, and cannot become a compose file. Make another application for the file.',
  )

/** Only what is given, and is not so already. */
function changesOf(application: ApplicationRow, { source, ...given }: Given): Changes {
  const wanted: Changes = {
    ...given,
    ...(source && { source_type: source.type }),
    ...(source && 'image' in source && { image: source.image }),
  }
  const before = new Map<string, unknown>(Object.entries(application))
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([field, value]) => value !== undefined && !isDeepStrictEqual(value, before.get(field)),
    ),
  )
}
