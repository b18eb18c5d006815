import { sql } from 'kysely'
import type { AccountEventType } from '../../../contract/user.ts'
import { describeDevice } from '../../../contract/shared/user-agent.ts'
import type { Context } from '../../context.ts'
import { toMailSafeName } from '../../platform/text/plain-text.ts'
import type { Db } from '../../tables.ts'
import type { AccountEventRow } from './account-events.ts'
import { composeMail, sendMail } from './mails.ts'
import { findUser } from './store.ts'

/** The limit applies per kind, so that a flood of one kind does not suppress another. */
const maxPerHour = 3

interface AccountMail {
  subject: string
  /** Continues the sentence "Hello Ada, ". */
  text: (detail: string) => string
  otherwise: string
  button: string
  path: string
}

const reset = {
  otherwise: 'Otherwise, set a new password now, which ends all sessions. Then check Settings → Security.',
  button: 'Set a new password',
  path: '/forgot-password',
}

const mails: Partial<Record<AccountEventType, AccountMail>> = {
  'account.login': {
    subject: 'New login to your account',
    text: () => 'someone logged in to your account from a new device.',
    ...reset,
  },
  'password.changed': {
    subject: 'Your password was changed',
    text: () => 'the password of your account was changed.',
    ...reset,
  },
  'password.reset': {
    subject: 'Your password was reset',
    text: () => 'the password of your account was reset with a reset link. All sessions were ended.',
    ...reset,
  },
  'two_factor.disabled': {
    subject: 'Two-factor authentication was turned off',
    text: () => 'two-factor authentication was turned off for your account.',
    otherwise:
      'Otherwise, set a new password now, then turn two-factor authentication on again in Settings → Security.',
    button: 'Set a new password',
    path: '/forgot-password',
  },
  'api_token.created': {
    subject: 'New API token',
    text: (detail) => `an API token was created for your account: ${detail}.`,
    otherwise: 'Otherwise, revoke the token in Settings → API tokens, then set a new password.',
    button: 'View API tokens',
    path: '/dashboard/settings/api-tokens',
  },
}

/** Returns whether every event of this type is emailed. A login is emailed only for a new device. */
export const isMailedAlways = (type: AccountEventType) => type !== 'account.login' && type in mails

/** Queues the email and returns whether it did. Sends only to confirmed addresses and within the hourly limit. */
export async function mailAccountEvent(ctx: Context, db: Db, row: AccountEventRow): Promise<boolean> {
  const mail = mails[row.type]
  const user = ctx.mail && (await findUser(db, row.user_id))
  if (!mail || !user?.email_verified_at || (await countMailed(db, row)) >= maxPerHour) return false
  const text = `Hello ${toMailSafeName(user.name)}, ${mail.text(row.detail ?? '')} ${formatOrigin(row, ctx.now())} ${row.via === 'operator' ? 'If you asked for this' : 'If this was you'}, no action is needed. ${mail.otherwise}`
  const { button, path } = mail
  await sendMail(
    ctx,
    db,
    composeMail(user.email, mail.subject, { text, button, link: `${ctx.config.PUBLIC_URL}${path}` }),
  )
  return true
}

/** Describes when and where an event happened. The user agent is untrusted input, like a name. */
function formatOrigin({ address, agent, via }: AccountEventRow, now: Date): string {
  const time = `Time: ${now.toISOString().slice(0, 16).replace('T', ' ')} UTC.`
  if (via === 'operator') return `${time} The operator of this instance made this change.`
  return `${time} Address: ${address ?? 'unknown'}. Browser: ${toMailSafeName(describeDevice(agent ?? ''))}.`
}

async function countMailed(db: Db, { user_id, type }: AccountEventRow): Promise<number> {
  const { mailed } = await db
    .selectFrom('account_events')
    .select((e) => e.fn.countAll<number>().as('mailed'))
    .where('user_id', '=', user_id)
    .where('type', '=', type)
    .where('mailed', '=', true)
    .where('created_at', '>', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow()
  return mailed
}
