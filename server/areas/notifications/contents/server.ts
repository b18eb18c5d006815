import { eventSentence } from '../event-sentence.ts'
import type { NotifiedEvent, RenderMessage, RenderedMessage } from '../rendered-message.ts'

const about =
  (severity: RenderedMessage['severity']): RenderMessage =>
  async ({ config }, _trx, event) => ({
    kind: 'happened',
    severity,
    title: eventSentence(event),
    text: event.detail ?? '',
    facts: [],
    lines: [],
    link: { label: 'View server', url: `${config.PUBLIC_URL}/dashboard/servers/${event.target_id}` },
    ids: idsOf(event),
  })

export const serverAdded = about('info')
export const serverSetUp = about('good')
export const serverSetUpFailed = about('warning')

export const serverCreationFailed: RenderMessage = async (ctx, trx, event) => ({
  ...(await about('warning')(ctx, trx, event)),
  title: `Could not create the server ${event.target_name}`,
})

export const serverChangedAtCloud: RenderMessage = async (ctx, trx, event) => ({
  ...(await about('warning')(ctx, trx, event)),
  title: `The server ${event.target_name} changed at its cloud provider`,
})

export const serverDeleted: RenderMessage = async (ctx, trx, event) => ({
  ...(await about('warning')(ctx, trx, event)),
  link: { label: 'View servers', url: `${ctx.config.PUBLIC_URL}/dashboard/servers` },
})

const idsOf = ({ target_id }: NotifiedEvent): Record<string, string> =>
  target_id ? { server_id: target_id } : {}
