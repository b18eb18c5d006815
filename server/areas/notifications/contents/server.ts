import { sentenceOf } from '../sentence.ts'
import type { Event, Say, Telling } from '../telling.ts'

const about =
  (severity: Telling['severity']): Say =>
  async ({ config }, _trx, event) => ({
    kind: 'happened',
    severity,
    title: sentenceOf(event),
    text: event.detail ?? '',
    facts: [],
    lines: [],
    link: { label: 'View server', url: `${config.PUBLIC_URL}/dashboard/servers/${event.target_id}` },
    ids: idsOf(event),
  })

export const serverAdded = about('info')
export const serverSetUp = about('good')
export const serverSetUpFailed = about('warning')

export const serverNotMade: Say = async (ctx, trx, event) => ({
  ...(await about('warning')(ctx, trx, event)),
  title: `Could not create the server ${event.target_name}`,
})

export const serverChangedAtCloud: Say = async (ctx, trx, event) => ({
  ...(await about('warning')(ctx, trx, event)),
  title: `The server ${event.target_name} changed at its cloud provider`,
})

export const serverDeleted: Say = async (ctx, trx, event) => ({
  ...(await about('warning')(ctx, trx, event)),
  link: { label: 'View servers', url: `${ctx.config.PUBLIC_URL}/dashboard/servers` },
})

const idsOf = ({ target_id }: Event): Record<string, string> => (target_id ? { server_id: target_id } : {})
