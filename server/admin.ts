import { createResetLink } from './areas/auth/password.ts'
import { createSetupLink } from './areas/auth/setup-link.ts'
import { turnOff } from './areas/auth/two-factor.ts'
import { findUserByEmail } from './areas/auth/user.ts'
import { releaseHostName } from './areas/domains/instance-host-names.ts'
import { inLines, listFeedback } from './areas/feedback/feedback.ts'
import { changeInstanceOwner } from './areas/instance/people.ts'
import { extendTrial } from './areas/workspaces/extend-trial.ts'
import { readConfig } from './config.ts'
import type { Context } from './context.ts'
import { listed } from './errors.ts'
import { open } from './open.ts'
import { createLog } from './platform/log.ts'
import { reseal } from './reseal.ts'

const usage = `Usage: npm run admin -- <command>

  reset-password <email>   Print a link that sets a new password for this account, for one hour. Using it ends all sessions and revokes all API tokens.
  stop-two-factor <email>  Turn two-factor off for somebody who has lost both their app and their recovery codes.
  extend-trial <email> <days>
                           Let the workspaces that this person owns and does not pay for be on trial for so many days from now on, 700 at most.
  release-host <host>      Take a host name from the workspace that holds it, when its domain has another owner now.
  instance-owner <email> [--remove]
                           Make this person an instance owner, or remove them as one.
  setup-link               Print a new one-time link that creates the first account; the link before stops working.
  feedback                 Print what people wrote with Feedback in the console, the newest first.
  reseal                   Seal all secrets with the first key of SECRET_KEY, so that the keys after it can go.
`

const commands: Record<string, (ctx: Context, email: string, days: string) => Promise<string>> = {
  async 'reset-password'(ctx, email) {
    const user = await findUserByEmail(ctx.db, email)
    return user ? createResetLink(ctx, ctx.db, user.id) : nobody(email)
  },
  async 'stop-two-factor'(ctx, email) {
    const user = await findUserByEmail(ctx.db, email)
    if (!user) return nobody(email)
    await turnOff(ctx, user.id, 'operator')
    return `Two-factor is off for ${user.email}.`
  },
  async 'extend-trial'(ctx, email, days) {
    const user = await findUserByEmail(ctx.db, email)
    if (!user) return nobody(email)
    const { until, workspaces } = await extendTrial(ctx, user, Number(days))
    const day = until.toISOString().slice(0, 10)
    if (workspaces.length === 0)
      return `${user.email} owns no workspace that is not paid for. One that they make is on trial until ${day}.`
    return `On trial until ${day}: ${listed(workspaces)}. What ${user.email} pays for already goes on as it was bought.`
  },
  async 'release-host'(ctx, given) {
    const host = given.toLowerCase()
    await releaseHostName(ctx, 'admin command', host)
    return `${host} is released: its certificate is deleted, and the workspace that proves it next gets it.`
  },
  async 'instance-owner'(ctx, email, option) {
    const user = await findUserByEmail(ctx.db, email)
    if (!user) return nobody(email)
    await changeInstanceOwner(ctx, user.id, option !== '--remove')
    return `${user.email} is ${option === '--remove' ? 'no longer' : 'now'} an instance owner.`
  },
  'setup-link': (ctx) => createSetupLink(ctx),
  feedback: async (ctx) => (await listFeedback(ctx.db)).map(inLines).join('\n\n') || 'Nobody wrote yet.',
  async reseal(ctx) {
    const count = await reseal(ctx)
    return `Sealed again: ${count}. Everything opens with the first key now; the keys after it can be removed from SECRET_KEY.`
  },
}

const nobody = (email: string): never => {
  throw new Error(`There is no account for ${email}.`)
}

/** Stripe knows no trial of more than two years. */
const isTrial = (days: string) => /^[1-9]\d{0,2}$/.test(days) && Number(days) <= 700

/** For the operator of the machine, beside a Slipway that runs or alone. */
async function main(): Promise<string> {
  const [name = '', email = '', days = ''] = process.argv.slice(2)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command || Boolean(email) === ['reseal', 'feedback', 'setup-link'].includes(name))
    throw new Error(usage)
  if (isTrial(days) !== (name === 'extend-trial')) throw new Error(usage)
  if (days !== '' && name !== 'extend-trial' && (name !== 'instance-owner' || days !== '--remove'))
    throw new Error(usage)
  const opened = await open(readConfig(), createLog('error'), { beside: true })
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
