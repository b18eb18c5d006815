import { eventSentence } from '../event-sentence.ts'
import type { RenderMessage } from '../rendered-message.ts'

/** For example `Ada changed the role of Bob to viewer`. */
export const memberChanged: RenderMessage = async ({ config }, _trx, event) => ({
  kind: 'happened',
  severity: 'info',
  title: [eventSentence(event), event.detail].filter((part) => part !== null).join(' '),
  text: '',
  facts: [],
  lines: [],
  link: { label: 'View members', url: `${config.PUBLIC_URL}/dashboard/workspace` },
  ids: event.target_kind === 'member' && event.target_id ? { member_id: event.target_id } : {},
})
