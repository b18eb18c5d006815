import type { Say } from '../telling.ts'

export const channelPaused: Say = async ({ config }, _trx, event) => ({
  kind: 'happened',
  severity: 'warning',
  title: `The channel ${event.target_name} was paused`,
  text: `Nothing gets through it. What is told through it waits for a day: see to it, and take it up again.`,
  facts: event.detail ? [{ label: 'Why', value: event.detail }] : [],
  lines: [],
  link: {
    label: 'See the channel',
    url: `${config.PUBLIC_URL}/dashboard/notifications/${event.target_id}`,
  },
  ids: event.target_id ? { notification_id: event.target_id } : {},
})
