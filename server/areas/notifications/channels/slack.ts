import { truncate } from '../../../platform/text/plain-text.ts'
import { channelField, type ChannelType } from '../channel-type.ts'
import {
  joinLastFitting,
  type MessageContent,
  messageFooter,
  severityColor,
  severityEmoji,
  toPlainContent,
} from '../message-content.ts'
import { checkReceiverUrl, postMessage } from '../post-message.ts'

/** Also works with Mattermost and other Slack-compatible receivers. */
export const slack: ChannelType = {
  type: 'slack',
  name: 'Slack',
  description: 'Post to a Slack channel.',
  help: 'Open api.slack.com/apps and choose Create New App, From scratch. Name it Slipway and select your workspace. Under Incoming Webhooks, activate them, choose Add New Webhook to Workspace and select a channel. Copy the webhook URL.',
  link: 'https://api.slack.com/messaging/webhooks',
  fields: [
    channelField({
      name: 'url',
      label: 'Webhook URL',
      type: 'secret',
      help: 'Stored encrypted: anyone with this URL can post to the channel.',
      placeholder: 'https://hooks.slack.com/services/T…/B…/…',
    }),
  ],
  async check(ctx, { url = '' }): Promise<Record<string, string>> {
    const wrong = await checkReceiverUrl(ctx, url)
    if (wrong) return { url: wrong }
    const { hostname, pathname } = new URL(url)
    return hostname === 'hooks.slack.com' && !/^\/services\/[^/]+\/[^/]+\/[^/]+$/.test(pathname)
      ? { url: 'Must be the URL of an incoming webhook, such as https://hooks.slack.com/services/T…/B…/….' }
      : {}
  },
  send: (ctx, { url = '' }, { content, signal }) =>
    postMessage(ctx, {
      url,
      body: toSlackMessage(toPlainContent(content)),
      signal,
      gone: /^(no_service|no_active_hooks|no_team|invalid_token|channel_not_found|channel_is_archived)$/,
    }),
}

/** Slack parses angle brackets as links and mentions. */
const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escape = (text: string) => text.replaceAll(/[&<>]/g, (sign) => signs[sign] ?? sign)

/** Uses `plain_text`, so that names in a message cannot add formatting, links or emoji. */
const plainText = (text: string, most: number) => ({
  type: 'plain_text',
  text: truncate(text, most, { escape }),
  emoji: false,
})
const section = (more: object) => ({ type: 'section', ...more })

function toSlackMessage(content: MessageContent) {
  const title = `${severityEmoji(content)} ${content.title}`
  return {
    // Phones show `text` in the notification; the channel shows the blocks.
    text: truncate(title, 1_000, { escape }),
    mrkdwn: false,
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [{ type: 'header', text: plainText(title, 150) }],
    attachments: [
      {
        color: `#${severityColor(content)}`,
        fallback: truncate(title, 1_000, { escape }),
        blocks: toBlocks(content),
      },
    ],
  }
}

function toBlocks(content: MessageContent): object[] {
  const { text, facts, lines, link } = content
  const log = joinLastFitting(lines, 2_800, { escape: codeText })
  return [
    ...(text ? [section({ text: plainText(text, 2_900) })] : []),
    ...toTables(facts),
    ...(log ? [section({ text: marked(`\`\`\`${log}\`\`\``) })] : []),
    section({ text: marked(`<${escape(link.url)}|${escape(link.label)}>`) }),
    { type: 'context', elements: [plainText(messageFooter(content), 300)] },
  ]
}

const marked = (text: string) => ({ type: 'mrkdwn', text, verbatim: true })

/** Code blocks show text literally, except for their own delimiter. */
const codeText = (line: string) => escape(line.replaceAll('```', "'''"))

/** A section holds at most ten cells, which is five rows of two columns. */
function toTables(facts: MessageContent['facts']): object[] {
  const cells = facts.map(({ label, value }) => [
    marked(`*${escape(label.replaceAll(/[*_~`]/g, ' ').trim() || '–')}*`),
    plainText(value, 1_900),
  ])
  return [cells.slice(0, 5), cells.slice(5, 10)]
    .filter((rows) => rows.length > 0)
    .map((rows) => section({ fields: rows.flat() }))
}
