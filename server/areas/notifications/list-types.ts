import type { z } from 'zod'
import { type listNotificationTypes, type Notice, notices } from '../../../contract/notifications.ts'
import type { Context } from '../../context.ts'
import { isPaidFor } from '../workspaces/standing.ts'
import { channelTypes } from './channel-types.ts'

/** What a form to add a channel is made of. */
export const listChannelTypes = (ctx: Context): z.input<(typeof listNotificationTypes)['reply']> => ({
  types: channelTypes.map((channel) => {
    const reason = channel.unavailableReason?.(ctx)
    const { type, name, description, help, link, fields } = channel
    return {
      type,
      name,
      description,
      help,
      link,
      available: !reason,
      unavailable_reason: reason ?? null,
      fields: [...fields],
    }
  }),
  // Where nothing is paid for, nobody is asked about it.
  events: Object.entries(notices)
    .filter(([group]) => group !== 'billing' || isPaidFor(ctx.config))
    .map(([group, { label, events }]) => ({
      group,
      label,
      events: entriesOf(events).map(([event, words]) => ({ event, label: words })),
    })),
})

// Each group of the contract has nothing but notices for keys.
const entriesOf = (events: Partial<Record<Notice, string>>) => Object.entries(events) as [Notice, string][]
