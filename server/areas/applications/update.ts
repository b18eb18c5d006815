import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { updateApplication as contract } from '../../../contract/applications.ts'
import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import { changeApplication } from './application.ts'
import { detailsOf } from './list-applications.ts'
import { noteChange } from './noted.ts'
import { requestProxySync } from './proxy-sync.ts'
import type { ApplicationRow } from './store.ts'
import { withApplication } from './with-application.ts'

type Given = z.output<(typeof contract)['body']>

/** What its containers are made of waits for the next deployment; its name and maintenance do not. */
export async function updateApplication(ctx: Context, actor: Actor, id: Id<'application'>, given: Given) {
  const row = await withApplication(ctx, actor, id, async (trx, application) => {
    const { health, ...plain } = changesOf(application, given)
    const names = Object.keys({ ...plain, ...(health && { health }) })
    if (names.length === 0) return application
    const changes = { ...plain, ...(health && { health: JSON.stringify(health) }) }
    const now = await changeApplication(trx, actor.workspace.id, id, changes)
    if (!now) throw notFound('This application')
    if (plain.maintenance !== undefined) await requestProxySync(ctx, trx, now)
    await noteChange(trx, actor, now, 'application.updated', names)
    return now
  })
  return detailsOf(ctx, row)
}

type Changes = Partial<Omit<Given, 'source'> & Pick<ApplicationRow, 'image'>>

/** Only what is given, and is not so already. */
function changesOf(application: ApplicationRow, { source, ...given }: Given): Changes {
  const wanted: Changes = { ...given, ...(source && { image: source.image }) }
  const before = new Map<string, unknown>(Object.entries(application))
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([field, value]) => value !== undefined && !isDeepStrictEqual(value, before.get(field)),
    ),
  )
}
