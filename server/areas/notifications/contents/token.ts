import type { RenderMessage } from '../rendered-message.ts'

export const tokenExpiring: RenderMessage = async ({ config }, _trx, event) => ({
  kind: 'happened',
  severity: 'warning',
  title: `The API token ${event.target_name} expires soon`,
  text: `${event.detail ?? ''} Requests with it will fail from then on. Create a new token and replace it.`,
  facts: [],
  lines: [],
  link: { label: 'View API tokens', url: `${config.PUBLIC_URL}/dashboard/settings/api-tokens` },
  ids: event.target_id ? { api_token_id: event.target_id } : {},
})

export const cloudTokenRefused: RenderMessage = async ({ config }, _trx, event) => ({
  kind: 'happened',
  severity: 'warning',
  title: `The cloud token ${event.target_name} was rejected`,
  text: `${event.detail ?? ''} Replace the token to see changes of its servers again.`,
  facts: [],
  lines: [],
  link: { label: 'View cloud tokens', url: `${config.PUBLIC_URL}/dashboard/settings/cloud-tokens` },
  ids: event.target_id ? { cloud_token_id: event.target_id } : {},
})
