import type { Insertable } from 'kysely'
import type { Id } from '../../contract/shared/ids.ts'
import type { Context } from '../../server/context.ts'
import { newId } from '../../server/platform/ids.ts'
import type { Tables } from '../../server/tables.ts'
import { sealResponses } from '../../server/areas/notifications/store.ts'

type AlertContext = Pick<Context, 'db' | 'secrets'>

interface MessageGiven extends Partial<Omit<Insertable<Tables['messages']>, 'answers_sealed'>> {
  title: string
  responses?: { at: string; ok: boolean; response: string; duration_ms: number }[]
}

/** Queued by default. */
export async function makeMessage(
  ctx: AlertContext,
  workspace_id: Id<'workspace'>,
  notification_id: Id<'notification'>,
  { title, responses = [], ...given }: MessageGiven,
): Promise<Id<'message'>> {
  const id = newId('message')
  const said = { kind: 'started' as const, severity: 'critical' as const, event: 'alert', title }
  const content = {
    ...said,
    text: title,
    facts: [],
    lines: [],
    link: { label: 'Open', url: 'http://localhost' },
    at: new Date().toISOString(),
    workspace: { id: workspace_id, name: 'Yard' },
    ids: {},
  }
  await ctx.db
    .insertInto('messages')
    .values({
      ...said,
      id,
      workspace_id,
      notification_id,
      key: id,
      content_sealed: ctx.secrets.seal(`messages.content_sealed:${id}`, JSON.stringify(content)),
      answers_sealed: sealResponses(ctx, id, responses),
      ...given,
    })
    .execute()
  return id
}
