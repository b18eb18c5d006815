import type { Say } from '../telling.ts'

export const tokenExpiring: Say = async ({ config }, _trx, event) => ({
  kind: 'happened',
  severity: 'warning',
  title: `The API token ${event.target_name} expires soon`,
  text: `${event.detail ?? ''} Whatever uses it is refused from then on. Make a new one, and put it in its place.`,
  facts: [],
  lines: [],
  link: { label: 'See the API tokens', url: `${config.PUBLIC_URL}/dashboard/settings/api-tokens` },
  ids: event.target_id ? { api_token_id: event.target_id } : {},
})

export const cloudTokenRefused: Say = async ({ config }, _trx, event) => ({
  kind: 'happened',
  severity: 'warning',
  title: `The cloud token ${event.target_name} is no longer taken`,
  text: `${event.detail ?? ''} What becomes of its servers there is not seen until another token is in its place.`,
  facts: [],
  lines: [],
  link: { label: 'See the cloud tokens', url: `${config.PUBLIC_URL}/dashboard/settings/cloud-tokens` },
  ids: event.target_id ? { cloud_token_id: event.target_id } : {},
})
