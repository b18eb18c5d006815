import type { RenderMessage } from '../rendered-message.ts'

export const channelPaused: RenderMessage = async ({ config }, _trx, event) => ({
  kind: 'happened',
  severity: 'warning',
  title: `The channel ${event.target_name} was paused`,
  text: 'Messages to this channel are failing and are kept for 24 hours. Fix the channel, then resume it.',
  facts: event.detail ? [{ label: 'Reason', value: event.detail }] : [],
  lines: [],
  link: {
    label: 'View channel',
    url: `${config.PUBLIC_URL}/dashboard/notifications/${event.target_id}`,
  },
  ids: event.target_id ? { notification_id: event.target_id } : {},
})
