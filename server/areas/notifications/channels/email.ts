import { email as address } from '../../../../contract/shared/text-fields.ts'
import type { Context } from '../../../context.ts'
import { PermanentFailure } from '../../../platform/jobs.ts'
import type { EmailMessage } from '../../../platform/mailer.ts'
import { channelField, type ChannelType, DeliveryRefused, RetryLater } from '../channel-type.ts'
import {
  type MessageContent,
  messageFooter,
  severityColor,
  severityEmoji,
  toPlainContent,
} from '../message-content.ts'
import { listExternalAddresses, reserveExternalEmails } from '../external-email-limit.ts'
import { escapeHtml as escape, removeLinks, toMailSafeName } from '../../../platform/text/plain-text.ts'

const maxAddresses = 20

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
      help: `Up to ${maxAddresses} addresses. Messages to addresses outside the workspace are rate-limited.`,
      placeholder: 'ada@example.com, grace@example.com',
    }),
  ],
  unavailableReason: ({ mail }) =>
    mail ? undefined : 'Email is not configured on this instance. Ask an instance owner to set it up.',
  check(_, { to = '' }): Record<string, string> {
    const recipients = parseAddresses(to)
    const wrong = recipients.find((recipient) => !address.safeParse(recipient).success)
    if (wrong !== undefined) return { to: `${wrong.slice(0, 100)} is not an email address.` }
    if (recipients.length === 0) return { to: 'Is required.' }
    return recipients.length > maxAddresses ? { to: `Must have at most ${maxAddresses} addresses.` } : {}
  },
  async send(ctx, { to = '' }, { id, content, signal }) {
    const addresses = parseAddresses(to)
    const memory = remember(ctx, id)
    const outside = await listExternalAddresses(ctx.db, content.workspace.id, addresses)
    const wait = await reserveLimit(ctx, memory, content, outside.length)
    const due = wait === 0 ? addresses : addresses.filter((recipient) => !outside.includes(recipient))
    const plain = toPlainContent(content)
    const emailFor = (recipient: string) =>
      toEmail(outside.includes(recipient) ? withoutTitleLinks(plain) : plain)
    const tries = await Promise.allSettled(
      due.map((recipient) => mailOnce(ctx, memory, { to: recipient, ...emailFor(recipient) })),
    )
    const failures: unknown[] = tries.flatMap((attempt) =>
      attempt.status === 'rejected' ? [attempt.reason] : [],
    )
    // Throw temporary failures, so that the message is retried for the addresses that do not have it yet.
    for (const failure of failures) if (!(failure instanceof PermanentFailure)) throw failure
    const messages = failures.map((failure) => (failure instanceof Error ? failure.message : String(failure)))
    const took = due.filter((_, nth) => tries[nth]?.status === 'fulfilled')
    if (took.length === 0 && wait > 0) throw new RetryLater(tooMany, wait)
    // Keep the state after an abort: the next attempt checks whether the mail server accepted it.
    if (!signal.aborted) ctx.emailAttempts.delete(id)
    if (took.length === 0) throw new DeliveryRefused(messages.join(' '), 'channel')
    // External addresses over the limit are skipped, so that members do not wait for them.
    if (wait > 0) messages.push(`${tooMany}, so no email was sent to ${outside.join(', ')}`)
    return [`Sent to ${took.join(', ')}`, ...messages].join('. ')
  },
}

const tooMany = 'The hourly limit for emails to addresses outside the workspace is reached'

async function reserveLimit(
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

const parseAddresses = (to: string) => [
  ...new Set(
    to
      .split(/[\s,;]+/)
      .map((recipient) => recipient.toLowerCase())
      .filter(Boolean),
  ),
]

/**
 * Remembers who received a message, so that a retry for one address sends no duplicates to others. A restart forgets
 * it.
 */
export interface EmailAttempt {
  letters: Map<string, Promise<void>>
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

/** External recipients must not receive links that a member put into a name. */
const withoutTitleLinks = (content: MessageContent): MessageContent => ({
  ...content,
  title: removeLinks(content.title) || 'Notification',
})

const toEmail = (content: MessageContent): Omit<EmailMessage, 'to'> => ({
  subject: `${severityEmoji(content)} ${content.title} · ${toMailSafeName(content.workspace.name)}`,
  text: toText(content),
  html: toHtml(content),
})

const toText = (content: MessageContent) =>
  [
    content.title,
    content.text,
    content.facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    content.lines.map((line) => `  ${line}`).join('\n'),
    `${content.link.label}: ${content.link.url}`,
    messageFooter(content),
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n')

function toHtml(content: MessageContent): string {
  const { title, text, facts, lines, link } = content
  const url = escape(link.url)
  return `<!doctype html><html lang="en"><body style="margin:0;background:#f6f7f9;font:15px/1.6 -apple-system,Segoe UI,Helvetica,Arial,sans-serif;color:#16202c">
<div style="max-width:600px;margin:32px auto;background:#fff;border:1px solid #e3e6eb;border-top:4px solid #${severityColor(content)};border-radius:8px;padding:32px">
<p style="margin:0 0 16px;font-size:18px;line-height:1.4;font-weight:600">${escape(title)}</p>
${text && `<p style="margin:0 0 20px;white-space:pre-line">${escape(text)}</p>`}
${facts.length > 0 ? toTable(facts) : ''}
${lines.length > 0 ? `<pre style="margin:0 0 20px;padding:12px;background:#f6f7f9;border-radius:8px;font:12px/1.5 ui-monospace,Menlo,Consolas,monospace;white-space:pre-wrap;word-break:break-word">${lines.map(escape).join('\n')}</pre>` : ''}
<p style="margin:0 0 24px"><a href="${url}" style="display:inline-block;background:#17497a;color:#fff;text-decoration:none;padding:10px 16px;border-radius:8px">${escape(link.label)}</a></p>
<p style="margin:0;color:#5b6675;font-size:13px">${escape(messageFooter(content))}</p>
</div></body></html>`
}

const toTable = (facts: MessageContent['facts']) =>
  `<table style="margin:0 0 20px;border-collapse:collapse">${facts.map(toTableRow).join('')}</table>`

const toTableRow = ({ label, value }: MessageContent['facts'][number]) =>
  `<tr><td style="padding:2px 16px 2px 0;color:#5b6675;vertical-align:top;white-space:nowrap">${escape(label)}</td><td style="padding:2px 0;word-break:break-word">${escape(value)}</td></tr>`
