import type { Context } from '../../context.ts'
import { toSentence, conflict, Problem } from '../../errors.ts'
import { recordInstanceEvent } from '../../events.ts'
import { toMailSafeName } from '../../platform/text/plain-text.ts'
import type { User } from '../../route.ts'
import { composeMail } from '../auth/mails.ts'

/** Sends a mail synchronously, so that the error of the mail server can be returned. */
export async function sendTestMail(ctx: Context, person: User): Promise<string> {
  if (!ctx.mail) throw conflict('no_mail_server', 'No mail server is configured. Set one first.')
  const to = person.user.email
  const mail = composeMail(to, 'Test mail', {
    text: `Hello ${toMailSafeName(person.user.name)}, outgoing mail of this Slipway works.`,
    button: 'Open Slipway',
    link: ctx.config.PUBLIC_URL,
  })
  await ctx.mail.send(mail).catch((error: unknown) => {
    throw new Problem(502, 'mail_failed', toSentence(error instanceof Error ? error.message : String(error)))
  })
  await recordInstanceEvent(ctx.db, person, 'instance.mail_tested', undefined, `to ${to}`)
  return to
}
