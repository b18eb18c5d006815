import { eventSentence, type RenderMessage, renderNotice } from '../message-content.ts'

export const memberChanged: RenderMessage = async (ctx, _trx, event) =>
  renderNotice(ctx, ['View members', '/workspace'], {
    severity: 'info',
    title: [eventSentence(event), event.detail].filter((part) => part !== null).join(' '),
    ids: event.target_kind === 'member' && event.target_id ? { member_id: event.target_id } : {},
  })

export const tokenExpiring: RenderMessage = async (ctx, _trx, event) =>
  renderNotice(ctx, ['View API tokens', '/settings/api-tokens'], {
    severity: 'warning',
    title: `The API token ${event.target_name} expires soon`,
    text: `${event.detail ?? ''} After that, requests with this token fail. Create a new token to replace it.`,
    ids: event.target_id ? { api_token_id: event.target_id } : {},
  })

export const cloudTokenRefused: RenderMessage = async (ctx, _trx, event) =>
  renderNotice(ctx, ['View cloud tokens', '/settings/cloud-tokens'], {
    severity: 'warning',
    title: `The cloud token ${event.target_name} was rejected`,
    text: `${event.detail ?? ''} Until you replace the token, Slipway cannot check the servers of this account.`,
    ids: event.target_id ? { cloud_token_id: event.target_id } : {},
  })

export const channelPaused: RenderMessage = async (ctx, _trx, event) =>
  renderNotice(ctx, ['View channel', `/notifications/${event.target_id}`], {
    severity: 'warning',
    title: `The channel ${event.target_name} was paused`,
    text: 'Messages to this channel are failing and are kept for 24 hours. Fix the channel, then resume it.',
    facts: event.detail ? [{ label: 'Reason', value: event.detail }] : [],
    ids: event.target_id ? { notification_id: event.target_id } : {},
  })
