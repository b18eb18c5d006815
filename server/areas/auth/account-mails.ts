import { sql } from 'kysely'
import type { AccountEventType } from '../../../contract/account-events.ts'
import { deviceOf } from '../../../contract/shared/user-agent.ts'
import type { Context } from '../../context.ts'
import { nameInMail } from '../../platform/mail-name.ts'
import type { Db } from '../../tables.ts'
import type { AccountEventRow } from './account-events.ts'
import { letter, sendMail } from './mails.ts'
import { findUser } from './store.ts'

/** Of each kind: so that none of them can be held back by causing many of another. */
const mostPerHour = 3

interface AccountMail {
  subject: string
  /** Goes on after "Hello Ada, ". */
  text: (detail: string) => string
  otherwise: string
  button: string
  path: string
}

const reset = {
  otherwise:
    'If this was not you, set a new password now: that ends all sessions. Then look at Settings → Security.',
  button: 'Set a new password',
  path: '/forgot-password',
}

const mails: Partial<Record<AccountEventType, AccountMail>> = {
  'account.login': {
    subject: 'New log-in to your account',
    text: () => 'your account was logged in to from a device that has not been used before.',
    ...reset,
  },
  'password.changed': {
    subject: 'Your password was changed',
    text: () => 'the password of your account was changed.',
    ...reset,
  },
  'password.reset': {
    subject: 'Your password was reset',
    text: () => 'a new password was set for your account with a reset link. All sessions have ended.',
    ...reset,
  },
  'two_factor.disabled': {
    subject: 'Two-factor was turned off',
    text: () => 'two-factor authentication was turned off for your account.',
    otherwise:
      'If this was not you, set a new password now, then turn two-factor on again in Settings → Security.',
    button: 'Set a new password',
    path: '/forgot-password',
  },
  'api_token.created': {
    subject: 'New API token',
    text: (detail) => `an API token was created for your account: ${detail}.`,
    otherwise: 'If this was not you, revoke the token in Settings → API tokens, then set a new password.',
    button: 'See the API tokens',
    path: '/dashboard/settings/api-tokens',
  },
}

/** A log-in is mailed only where the device is new. */
export const isMailedAlways = (type: AccountEventType) => type !== 'account.login' && type in mails

/** Mails the person, in the background; whether it does. Only to an address that is theirs, and not without end. */
export async function mailAccountEvent(ctx: Context, db: Db, row: AccountEventRow): Promise<boolean> {
  const mail = mails[row.type]
  const user = ctx.mail && (await findUser(db, row.user_id))
  if (!mail || !user?.email_verified_at || (await countMailed(db, row)) >= mostPerHour) return false
  const text = `Hello ${nameInMail(user.name)}, ${mail.text(row.detail ?? '')} ${whereOf(row, ctx.now())} If this was you, no action is needed. ${mail.otherwise}`
  const { button, path } = mail
  await sendMail(
    ctx,
    db,
    letter(user.email, mail.subject, { text, button, link: `${ctx.config.PUBLIC_URL}${path}` }),
  )
  return true
}

/** What the browser calls itself is somebody's choice, like a name. */
function whereOf({ address, agent, via }: AccountEventRow, now: Date): string {
  const time = `Time: ${now.toISOString().slice(0, 16).replace('T', ' ')} UTC.`
  if (via === 'operator') return `${time} It was done by the operator of this Slipway.`
  return `${time} Address: ${address ?? 'unknown'}. Browser: ${nameInMail(deviceOf(agent ?? ''))}.`
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
