import { email as address } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { PermanentFailure } from '../../../platform/jobs.ts'
import type { EmailMessage } from '../../../platform/mailer.ts'
import { type ChannelType, RetryLater, DeliveryRefused } from '../channel-type.ts'
import type { MessageContent } from '../message-content.ts'
import { channelField } from '../channel-field.ts'
import { withoutTitleLinks, toEmail } from '../email-message.ts'
import { listExternalAddresses, reserveExternalEmails } from '../external-email-limit.ts'
import { toPlainContent } from '../plain-content.ts'

const most = 20

export const email: ChannelType = {
  type: 'email',
  name: 'Email',
  description: 'Send an email to one or more addresses.',
  help: 'Separate addresses with commas or line breaks.',
  link: null,
  fields: [
    channelField({
      name: 'to',
      label: 'Addresses',
      type: 'emails',
      help: `Up to ${most} addresses. Messages to addresses outside the workspace are rate-limited.`,
      placeholder: 'ada@example.com, grace@example.com',
    }),
  ],
  unavailableReason: ({ mail }) =>
    mail ? undefined : 'Email is not configured on this instance. The operator can set SMTP_URL.',
  check(_, { to = '' }): Record<string, string> {
    const given = addressesOf(to)
    const wrong = given.find((one) => !address.safeParse(one).success)
    if (wrong !== undefined) return { to: `${wrong.slice(0, 100)} is not an email address.` }
    if (given.length === 0) return { to: 'Is required.' }
    return given.length > most ? { to: `Must be at most ${most} addresses.` } : {}
  },
  async send(ctx, { to = '' }, { id, content, signal }) {
    const addresses = addressesOf(to)
    const memory = remember(ctx, id)
    const outside = await listExternalAddresses(ctx.db, content.workspace.id, addresses)
    const wait = await waitFor(ctx, memory, content, outside.length)
    const due = wait === 0 ? addresses : addresses.filter((one) => !outside.includes(one))
    const plain = toPlainContent(content)
    const letterTo = (one: string) => toEmail(outside.includes(one) ? withoutTitleLinks(plain) : plain)
    const tries = await Promise.allSettled(
      due.map((one) => mailOnce(ctx, memory, { to: one, ...letterTo(one) })),
    )
    const failures: unknown[] = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    // Retry temporary failures only, and only for addresses that do not have it yet.
    for (const failure of failures) if (!(failure instanceof PermanentFailure)) throw failure
    const words = failures.map((failure) => (failure instanceof Error ? failure.message : String(failure)))
    const took = due.filter((_, nth) => tries[nth]?.status === 'fulfilled')
    if (took.length === 0 && wait > 0) throw new RetryLater(tooMany, wait)
    // Keep the state after an abort: the next attempt checks whether the mail server accepted it.
    if (!signal.aborted) ctx.emailAttempts.delete(id)
    if (took.length === 0) throw new DeliveryRefused(words.join(' '), 'channel')
    // Members do not wait for external addresses.
    if (wait > 0) words.push(`${tooMany}, so no email was sent to ${outside.join(', ')}`)
    return [`Sent to ${took.join(', ')}`, ...words].join('. ')
  },
}

const tooMany = 'The hourly limit of emails to addresses outside the workspace is reached'

/** Returns the seconds until external addresses may be mailed. A message counts once across attempts. */
async function waitFor(
  { db, config }: Context,
  memory: EmailAttempt,
  { workspace }: MessageContent,
  letters: number,
) {
  if (memory.isCounted || letters === 0) return 0
  const wait = await reserveExternalEmails(db, workspace.id, letters, config.MAIL_OUTSIDE_LIMIT)
  memory.isCounted = wait === 0
  return wait
}

const addressesOf = (to: string) => [
  ...new Set(
    to
      .split(/[\s,;]+/)
      .map((one) => one.toLowerCase())
      .filter(Boolean),
  ),
]

/**
 * Which addresses received a message, so that a mail server that is slow with one address does not cause duplicates for the
 * others. After a restart, an address receives the message twice at worst.
 */
export interface EmailAttempt {
  /** Emails that were accepted or are being sent, by address. */
  letters: Map<string, Promise<void>>
  /** The message was counted toward the limit for external addresses. */
  isCounted: boolean
}

const maxRemembered = 1_000

function remember({ emailAttempts: remembered }: Context, id: string): EmailAttempt {
  const known = remembered.get(id) ?? { letters: new Map(), isCounted: false }
  remembered.set(id, known)
  const [oldest] = remembered.keys()
  if (remembered.size > maxRemembered && oldest) remembered.delete(oldest)
  return known
}

/** Waits for an email that is being sent instead of sending it again. */
function mailOnce(
  { mail }: Pick<Context, 'mail'>,
  { letters }: EmailAttempt,
  letter: EmailMessage,
): Promise<void> {
  const known = letters.get(letter.to)
  if (known) return known
  const sent = Promise.resolve(mail?.send(letter))
  letters.set(letter.to, sent)
  sent.catch(() => letters.delete(letter.to))
  return sent
}
