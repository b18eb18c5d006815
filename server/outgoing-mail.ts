import type { Context } from './context.ts'
import { createMailer, type Mailer } from './platform/mailer.ts'
import { getSettings } from './settings.ts'

type Scope = Pick<Context, 'bus' | 'settingsCache' | 'db' | 'config' | 'secrets' | 'log'>

export interface OutgoingMail {
  /** Undefined while no mail server is configured. */
  readonly current: Mailer | undefined
  /** Resolves when `current` follows the settings as they are now. */
  refresh(): Promise<void>
}

/** Keeps the mailer in step with the settings while the bus is open. */
export async function followMailSettings(ctx: Scope): Promise<OutgoingMail> {
  let current: Mailer | undefined
  let made = ''
  const refresh = async () => {
    const { smtpUrl, mailFrom } = await getSettings(ctx)
    const wanted = JSON.stringify([smtpUrl, mailFrom])
    if (wanted === made) return
    made = wanted
    current = createMailer({ SMTP_URL: smtpUrl, MAIL_FROM: mailFrom }, ctx.log)
  }
  const refreshLater = () =>
    void refresh().catch((error: unknown) =>
      ctx.log.warn({ reason: String(error) }, 'Cannot read the email settings'),
    )
  await refresh()
  ctx.bus.on('settings', refreshLater)
  ctx.bus.onReconnect(refreshLater)
  return {
    get current() {
      return current
    },
    refresh,
  }
}
