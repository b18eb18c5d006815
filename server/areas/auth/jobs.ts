import { z } from 'zod'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { accountEventRetentionDays } from './account-events.ts'

const letter = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string().optional(),
  replyTo: z.string().optional(),
})

export const jobs = [
  defineJob<Context, typeof letter>('send-mail', letter, async (ctx, mail) => {
    if (!ctx.mail) throw new Error('An email is queued, but this worker has no SMTP_URL.')
    await ctx.mail.send(mail)
  }),
  defineJob<Context, z.ZodObject>('forget-expired', z.object({}), async (ctx) => {
    await ctx.pool.query('delete from sessions where expires_at < now()')
    await ctx.pool.query('delete from single_use_tokens where expires_at < now()')
    await ctx.pool.query('delete from stream_tickets where expires_at < now()')
    await ctx.pool.query("delete from login_failures where failed_at < now() - interval '1 day'")
    await ctx.pool.query("delete from sent_mails where sent_at < now() - interval '2 days'")
    await ctx.pool.query("delete from sent_invites where sent_at < now() - interval '2 days'")
    await ctx.pool.query('delete from account_events where last_at < now() - make_interval(days => $1)', [
      accountEventRetentionDays,
    ])
    await ctx.pool.query("delete from idempotency_keys where created_at < now() - interval '1 day'")
  }),
]

export const schedules = [
  { name: 'forget-expired', everySeconds: 3_600, job: { kind: 'forget-expired', payload: {} } },
]
