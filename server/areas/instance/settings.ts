import type { z } from 'zod'
import type { settings as shown, updateInstanceSettings } from '../../../contract/instance.ts'
import { instanceSettings, type SettingName } from '../../../contract/shared/instance-settings.ts'
import { hideSmtpPassword } from '../../../contract/shared/smtp-url.ts'
import type { Context } from '../../context.ts'
import { conflict, Problem, toSentence } from '../../errors.ts'
import { recordInstanceEvent } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import type { User } from '../../route.ts'
import { readSettings, settingVariable, storeSetting } from '../../settings.ts'
import { toMailSafeName } from '../../platform/text/plain-text.ts'
import { composeMail } from '../auth/mails.ts'

export async function showSettings(ctx: Context): Promise<z.input<typeof shown>> {
  const { value: all, sourceOf } = await readSettings(ctx)
  const show = <T>(name: SettingName, value: T) => ({
    value,
    source: sourceOf(name),
    variable: settingVariable(name) ?? null,
  })
  return {
    signup: show('signup', all.signup),
    smtp_url: show('smtp_url', all.smtp_url === undefined ? null : hideSmtpPassword(all.smtp_url)),
    mail_from: show('mail_from', all.mail_from),
    acme_url: show('acme_url', all.acme_url),
    private_servers: show('private_servers', all.private_servers),
    allowed_networks: show('allowed_networks', all.allowed_networks),
    workspaces_per_user: show('workspaces_per_user', all.workspaces_per_user),
    invites_per_user_per_day: show('invites_per_user_per_day', all.invites_per_user_per_day),
    invites_per_instance_per_day: show('invites_per_instance_per_day', all.invites_per_instance_per_day),
    account_mails_per_instance_per_day: show(
      'account_mails_per_instance_per_day',
      all.account_mails_per_instance_per_day,
    ),
    certificate_orders_per_workspace_per_hour: show(
      'certificate_orders_per_workspace_per_hour',
      all.certificate_orders_per_workspace_per_hour,
    ),
  }
}

type Changes = z.output<(typeof updateInstanceSettings)['body']>

export async function updateSettings(ctx: Context, person: User, changes: Changes): Promise<void> {
  const { sourceOf } = await readSettings(ctx)
  const changed = settingNames.filter((name) => changes[name] !== undefined)
  for (const name of changed) if (sourceOf(name) === 'environment') throw setInEnvironment(name)
  await transaction(ctx.db, async (trx) => {
    for (const name of changed) {
      await storeSetting(ctx, trx, name, changes[name])
      await recordInstanceEvent(
        trx,
        person,
        'instance.settings_changed',
        { kind: 'setting', id: name, name },
        detailOf(name, changes[name]),
      )
    }
  })
  // The database notifies the other processes. This process clears its cache before it responds.
  ctx.settingsCache.clear()
  await ctx.refreshMail()
}

// The assertion restores the names, which `Object.keys` loses.
const settingNames = Object.keys(instanceSettings) as SettingName[]

const setInEnvironment = (name: SettingName) => {
  const variable = settingVariable(name) ?? name
  return conflict(
    'set_in_environment',
    `${variable} is set as an environment variable, which takes precedence. Change the variable and restart Slipway.`,
  )
}

function detailOf(name: SettingName, value: unknown): string {
  if (value === null) return 'to the default'
  if (typeof value !== 'string') return `to ${JSON.stringify(value)}`
  return `to ${name === 'smtp_url' ? hideSmtpPassword(value) : value}`
}

/** Sends a test email synchronously, so that the error of the mail server can be returned. */
export async function sendTestMail(ctx: Context, person: User): Promise<string> {
  if (!ctx.mail) throw conflict('no_mail_server', 'No email server is configured. Set one first.')
  const to = person.user.email
  const mail = composeMail(to, 'Test email', {
    text: `Hello ${toMailSafeName(person.user.name)}, this test email confirms that Slipway can send email.`,
    button: 'Open Slipway',
    link: ctx.config.PUBLIC_URL,
  })
  await ctx.mail.send(mail).catch((error: unknown) => {
    throw new Problem(502, 'mail_failed', toSentence(error instanceof Error ? error.message : String(error)))
  })
  await recordInstanceEvent(ctx.db, person, 'instance.mail_tested', undefined, `to ${to}`)
  return to
}
