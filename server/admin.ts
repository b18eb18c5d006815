import { createResetLink } from './areas/auth/password.ts'
import { createSetupLink } from './areas/auth/setup-link.ts'
import { turnOffTwoFactor } from './areas/auth/two-factor.ts'
import { findUserByEmail } from './areas/auth/user.ts'
import { releaseHostName } from './areas/domains/instance-host-names.ts'
import { formatFeedback, listFeedback } from './areas/feedback/feedback.ts'
import { changeInstanceOwner } from './areas/instance/users.ts'
import { extendTrial } from './areas/workspaces/trial.ts'
import { readConfig } from './config.ts'
import type { Context } from './context.ts'
import { formatCount, formatNames } from '../contract/shared/format-list.ts'
import { openContext } from './open.ts'
import { createLog } from './platform/log.ts'
import { reseal } from './reseal.ts'

const usage = `Usage: npm run admin -- <command>

  reset-password <email>   Print a link, valid for one hour, that sets a new password for this account. Using the link ends all sessions and revokes all API tokens.
  stop-two-factor <email>  Turn off two-factor authentication for a user who lost both their app and their recovery codes.
  extend-trial <email> <days>
                           Extend the trials of the unpaid workspaces of this user to this many days from now, at most 700.
  release-host <host>      Release a host name from its workspace, for example when the domain changed owners.
  instance-owner <email> [--remove]
                           Make this user an instance owner, or remove them as one.
  setup-link               Print a new one-time link that creates the first account. The previous link stops working.
  feedback                 Print the feedback sent from the console, newest first.
  reseal                   Encrypt all secrets with the first key of SECRET_KEY, so that the other keys can be removed.
`

const commands: Record<string, (ctx: Context, email: string, days: string) => Promise<string>> = {
  async 'reset-password'(ctx, email) {
    const user = await findUserByEmail(ctx.db, email)
    return user ? createResetLink(ctx, ctx.db, user.id) : accountNotFound(email)
  },
  async 'stop-two-factor'(ctx, email) {
    const user = await findUserByEmail(ctx.db, email)
    if (!user) return accountNotFound(email)
    await turnOffTwoFactor(ctx, user.id, 'operator')
    return `Two-factor authentication is off for ${user.email}.`
  },
  async 'extend-trial'(ctx, email, days) {
    const user = await findUserByEmail(ctx.db, email)
    if (!user) return accountNotFound(email)
    const { until, workspaces } = await extendTrial(ctx, user, Number(days))
    const day = until.toISOString().slice(0, 10)
    if (workspaces.length === 0)
      return `${user.email} owns no unpaid workspace. New workspaces are on trial until ${day}.`
    return `Extended the trial of ${formatNames(workspaces)} until ${day}. Paid workspaces of ${user.email} are not changed.`
  },
  async 'release-host'(ctx, name) {
    const host = name.toLowerCase()
    await releaseHostName(ctx, 'admin command', host)
    return `Released ${host} and deleted its certificate. The next workspace that proves ownership gets the host name.`
  },
  async 'instance-owner'(ctx, email, option) {
    const user = await findUserByEmail(ctx.db, email)
    if (!user) return accountNotFound(email)
    await changeInstanceOwner(ctx, user.id, option !== '--remove')
    return `${user.email} is ${option === '--remove' ? 'no longer' : 'now'} an instance owner.`
  },
  'setup-link': (ctx) => createSetupLink(ctx),
  feedback: async (ctx) =>
    (await listFeedback(ctx.db)).map(formatFeedback).join('\n\n') || 'No feedback yet.',
  async reseal(ctx) {
    const count = await reseal(ctx)
    return `Re-encrypted ${formatCount(count, 'value')}. All secrets now use the first key; remove the other keys from SECRET_KEY.`
  },
}

const accountNotFound = (email: string): never => {
  throw new Error(`No account found for ${email}.`)
}

/** Stripe allows trials of at most two years. */
const isTrial = (days: string) => /^[1-9]\d{0,2}$/.test(days) && Number(days) <= 700

async function main(): Promise<string> {
  const [name = '', email = '', days = ''] = process.argv.slice(2)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command || Boolean(email) === ['reseal', 'feedback', 'setup-link'].includes(name))
    throw new Error(usage)
  if (isTrial(days) !== (name === 'extend-trial')) throw new Error(usage)
  if (days !== '' && name !== 'extend-trial' && (name !== 'instance-owner' || days !== '--remove'))
    throw new Error(usage)
  const opened = await openContext(readConfig(), createLog('error'), { beside: true })
  try {
    return await command(opened.ctx, email, days)
  } finally {
    await opened.close()
  }
}

main().then(
  (says) => process.stdout.write(`${says}\n`),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  },
)
