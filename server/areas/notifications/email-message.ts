import { escapeHtml as escape } from '../../platform/text/escape-html.ts'
import type { EmailMessage } from '../../platform/mailer.ts'
import { toMailSafeName, removeLinks } from '../../platform/text/mail-safe-name.ts'
import type { MessageContent } from './message-content.ts'
import { severityColor, severityEmoji, messageFooter } from './message-style.ts'

/** External recipients must not receive links that a member put into a name. */
export const withoutTitleLinks = (content: MessageContent): MessageContent => ({
  ...content,
  title: removeLinks(content.title) || 'Notification',
})

export const toEmail = (content: MessageContent): Omit<EmailMessage, 'to'> => ({
  subject: `${severityEmoji(content)} ${content.title} · ${toMailSafeName(content.workspace.name)}`,
  text: textOf(content),
  html: htmlOf(content),
})

const textOf = (content: MessageContent) =>
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

/** Matches the other emails of Slipway, with a stripe in the color of the severity. */
function htmlOf(content: MessageContent): string {
  const { title, text, facts, lines, link } = content
  const url = escape(link.url)
  return `<!doctype html><html lang="en"><body style="margin:0;background:#f6f7f9;font:15px/1.6 -apple-system,Segoe UI,Helvetica,Arial,sans-serif;color:#16202c">
<div style="max-width:600px;margin:32px auto;background:#fff;border:1px solid #e3e6eb;border-top:4px solid #${severityColor(content)};border-radius:8px;padding:32px">
<p style="margin:0 0 16px;font-size:18px;line-height:1.4;font-weight:600">${escape(title)}</p>
${text && `<p style="margin:0 0 20px;white-space:pre-line">${escape(text)}</p>`}
${facts.length > 0 ? tableOf(facts) : ''}
${lines.length > 0 ? `<pre style="margin:0 0 20px;padding:12px;background:#f6f7f9;border-radius:8px;font:12px/1.5 ui-monospace,Menlo,Consolas,monospace;white-space:pre-wrap;word-break:break-word">${lines.map(escape).join('\n')}</pre>` : ''}
<p style="margin:0 0 24px"><a href="${url}" style="display:inline-block;background:#17497a;color:#fff;text-decoration:none;padding:10px 16px;border-radius:8px">${escape(link.label)}</a></p>
<p style="margin:0;color:#5b6675;font-size:13px">${escape(messageFooter(content))}</p>
</div></body></html>`
}

const tableOf = (facts: MessageContent['facts']) =>
  `<table style="margin:0 0 20px;border-collapse:collapse">${facts.map(rowOf).join('')}</table>`

const rowOf = ({ label, value }: MessageContent['facts'][number]) =>
  `<tr><td style="padding:2px 16px 2px 0;color:#5b6675;vertical-align:top;white-space:nowrap">${escape(label)}</td><td style="padding:2px 0;word-break:break-word">${escape(value)}</td></tr>`
