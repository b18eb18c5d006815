import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { id, time } from './ids.ts'
import { listOf, pageQuery } from './page.ts'

export const notification = z.object({
  id: id('notification'),
  name: z.string(),
  type: z.string(),
  created_at: time,
})

export const listNotifications = endpoint('GET /v1/notifications', {
  access: 'notifications.read',
  summary: 'The channels that alerts and notifications are sent through',
  query: z.strictObject(pageQuery),
  reply: listOf('notifications', notification),
})
