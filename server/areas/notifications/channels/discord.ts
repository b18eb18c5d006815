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

export const discord: ChannelType = {
  type: 'discord',
  name: 'Discord',
  description: 'Post to a Discord channel.',
  help: 'In Discord, open Edit Channel, Integrations, Webhooks and create a new webhook. Name it Slipway and copy the webhook URL. This requires the Manage Webhooks permission.',
  link: 'https://support.discord.com/hc/en-us/articles/228383668',
  fields: [
    channelField({
      name: 'url',
      label: 'Webhook URL',
      type: 'secret',
      help: 'Stored encrypted: anyone with this URL can post to the channel.',
      placeholder: 'https://discord.com/api/webhooks/…/…',
    }),
  ],
  async check(ctx, { url = '' }): Promise<Record<string, string>> {
    const wrong = await checkReceiverUrl(ctx, url)
    if (wrong) return { url: wrong }
    return /^\/api(\/v\d+)?\/webhooks\/\d+\/[\w-]+$/.test(new URL(url).pathname)
      ? {}
      : { url: 'Must be the URL of a webhook, such as https://discord.com/api/webhooks/1234/abcd.' }
  },
  send(ctx, { url = '' }, { content, signal }) {
    const to = new URL(url)
    // Without `wait`, Discord responds before it has validated the message.
    to.searchParams.set('wait', 'true')
    const body = toDiscordMessage(toPlainContent(content))
    return postMessage(ctx, { url: to.href, body, signal, gone: /^(Unknown Webhook|Invalid Webhook Token)$/ })
  },
}

/** A backslash makes Discord show a character literally. */
const escape = (text: string) => text.replaceAll(/[\\*_~|`<>@#:[\]()\-+.=!]/g, String.raw`\$&`)

const toDiscordMessage = (content: MessageContent) => ({
  username: 'Slipway',
  // Names in a message must not mention anyone.
  allowed_mentions: { parse: [] },
  embeds: [
    {
      title: truncate(`${severityEmoji(content)} ${content.title}`, 256, { escape }),
      description: toDescription(content),
      color: Number.parseInt(severityColor(content), 16),
      fields: content.facts.map(({ label, value }) => ({
        name: truncate(label, 80, { escape }),
        // An embed holds at most 6,000 characters in total.
        value: truncate(value, 180, { escape }),
        inline: value.length <= 40,
      })),
      footer: { text: truncate(messageFooter(content), 200) },
    },
  ],
})

function toDescription({ text, lines, link }: MessageContent): string {
  const log = joinLastFitting(lines, 1_200, { escape: (line) => line.replaceAll('```', "'''") })
  return [
    truncate(text, 1_000, { escape }),
    log && `\`\`\`\n${log}\n\`\`\``,
    `[${escape(link.label)}](<${link.url}>)`,
  ]
    .filter(Boolean)
    .join('\n')
}
