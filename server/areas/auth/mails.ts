import type { Context } from '../../context.ts'
import { escapeHtml as escape, toMailSafeName } from '../../platform/text/plain-text.ts'
import type { EmailMessage } from '../../platform/mailer.ts'
import { enqueue } from '../../platform/jobs.ts'
import type { Db, Tables } from '../../tables.ts'
import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import { getSettings } from '../../settings.ts'

/** Number of attempts. With the backoff of jobs, they cover a mail server outage of at least 90 minutes. */
export const mailAttempts = 28

/**
 * Queues an email in the transaction of the change: a rolled-back change sends none, and an unavailable mail server
 * loses none.
 */
export async function sendMail(ctx: Context, db: Db, mail: EmailMessage): Promise<void> {
  if (ctx.mail) await enqueue(ctx.secrets, db, { kind: 'send-mail', payload: mail, attempts: mailAttempts })
}

export interface MailRecipient {
  email: string
  name: string
}

export const verificationMail = (to: MailRecipient, link: string) =>
  composeMail(to.email, 'Confirm your email address', {
    text: `Hello ${toMailSafeName(to.name)}, someone signed up with this address. If it was you, confirm your address: the link works once and expires after two days. If you open it in a different browser than the one you signed up with, you must choose a new password. If it was not you, ignore this email.`,
    button: 'Confirm address',
    link,
  })

export const resetMail = (to: MailRecipient, link: string) =>
  composeMail(to.email, 'Set a new password', {
    text: `Hello ${toMailSafeName(to.name)}, a password reset was requested for your account. The link works once and expires after one hour. If it was not you, ignore this email: your password stays unchanged.`,
    button: 'Set a new password',
    link,
  })

export const alreadySignedUpMail = (to: MailRecipient, link: string) =>
  composeMail(to.email, 'You already have an account', {
    text: `Hello ${toMailSafeName(to.name)}, someone signed up with this address, but it already has an account. If it was you, log in or reset your password. If it was not you, ignore this email.`,
    button: 'Log in',
    link,
  })

/** Names are untrusted input. They must not put links into an email to a stranger. */
export function inviteMail(to: string, from: string, workspace: string, link: string) {
  const [who, where] = [toMailSafeName(from, 'A member'), toMailSafeName(workspace, 'a workspace')]
  return composeMail(to, `${who} invites you to ${where}`, {
    text: `${who} invites you to the workspace ${where} on Slipway. The invite is for this address, works once and expires after 7 days.`,
    button: 'Join workspace',
    link,
  })
}

export function composeMail(
  to: string,
  subject: string,
  say: { text: string; button: string; link: string },
): EmailMessage {
  const [text, button, link] = [say.text, say.button, say.link].map(escape)
  return {
    to,
    subject: `${subject.replace(/\s+/g, ' ')} · Slipway`,
    text: `${say.text}\n\n${say.link}\n`,
    html: `<!doctype html><html lang="en"><body style="margin:0;background:#f6f7f9;font:15px/1.6 -apple-system,Segoe UI,Helvetica,Arial,sans-serif;color:#16202c">
<div style="max-width:480px;margin:32px auto;background:#fff;border:1px solid #e3e6eb;border-radius:8px;padding:32px">
<p style="margin:0 0 24px;font-weight:600">Slipway</p>
<p style="margin:0 0 24px">${text}</p>
<p style="margin:0 0 24px"><a href="${link}" style="display:inline-block;background:#17497a;color:#fff;text-decoration:none;padding:10px 16px;border-radius:8px">${button}</a></p>
<p style="margin:0;color:#5b6675;font-size:13px;word-break:break-all">${link}</p>
</div></body></html>`,
  }
}

/**
 * Maximum number of emails per address and day. Links of earlier emails stay valid, so a flood does not invalidate the
 * link of the owner.
 */
const mostPerAddressPerDay = 10

/**
 * Counts an email and returns whether it is within the limits. Callers must not report a reached limit, because it
 * would reveal that the account exists. Each kind has its own limits, so that signups cannot block password resets.
 */
export async function countMail(
  ctx: Context,
  trx: Db,
  userId: Id<'user'>,
  kind: Tables['sent_mails']['kind'],
): Promise<boolean> {
  const { accountMailsPerInstancePerDay: most } = (await getSettings({ ...ctx, db: trx })).limits
  // The lock serializes concurrent calls, so that the second counts the email of the first.
  await sql`select pg_advisory_xact_lock(6, 1)`.execute(trx)
  const { rows } = await sql<{ minute: number; day: number; all: number }>`
    select count(*) filter (where user_id = ${userId} and sent_at > now() - interval '1 minute')::int as minute,
      count(*) filter (where user_id = ${userId})::int as day, count(*)::int as all
    from sent_mails where kind = ${kind} and sent_at > now() - interval '1 day'`.execute(trx)
  const sent = rows[0] ?? { minute: 0, day: 0, all: 0 }
  if (sent.minute > 0 || sent.day >= mostPerAddressPerDay || sent.all >= most) return false
  await trx.insertInto('sent_mails').values({ user_id: userId, kind }).execute()
  if (sent.all + 1 === most) ctx.log.warn({ kind, most }, 'Reached the daily limit of account emails')
  return true
}
