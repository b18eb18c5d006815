import { truncate } from '../../../platform/text/plain-text.ts'
import type { Channel } from '../channel.ts'
import type { Content } from '../content.ts'
import { field } from '../field.ts'
import { colourOf, signOf, sourceOf } from '../looks.ts'
import { lastThatFit, plainContent } from '../plain.ts'
import { post } from '../post.ts'
import { whyNotCalled } from '../receiver.ts'

export const discord: Channel = {
  type: 'discord',
  name: 'Discord',
  description: 'Post to a Discord channel.',
  help: 'In Discord, open Edit Channel, Integrations, Webhooks and create a new webhook. Name it Slipway and copy the webhook URL. This requires the Manage Webhooks permission.',
  link: 'https://support.discord.com/hc/en-us/articles/228383668',
  fields: [
    field({
      name: 'url',
      label: 'Webhook URL',
      type: 'secret',
      help: 'Stored encrypted: anyone with this URL can post to the channel.',
      placeholder: 'https://discord.com/api/webhooks/…/…',
    }),
  ],
  async check(ctx, { url = '' }): Promise<Record<string, string>> {
    const wrong = await whyNotCalled(ctx, url)
    if (wrong) return { url: wrong }
    return /^\/api(\/v\d+)?\/webhooks\/\d+\/[\w-]+$/.test(new URL(url).pathname)
      ? {}
      : { url: 'Must be the URL of a webhook, such as https://discord.com/api/webhooks/1234/abcd.' }
  },
  send(ctx, { url = '' }, { content, signal }) {
    const to = new URL(url)
    // Else Discord answers before it has looked at the message.
    to.searchParams.set('wait', 'true')
    const body = messageOf(plainContent(content))
    return post(ctx, { url: to.href, body, signal, gone: /^(Unknown Webhook|Invalid Webhook Token)$/ })
  },
}

/** Discord shows any sign as it is after a backslash. */
const escape = (text: string) => text.replaceAll(/[\\*_~|`<>@#:[\]()\-+.=!]/g, String.raw`\$&`)

const messageOf = (content: Content) => ({
  username: 'Slipway',
  // Whatever a name says, it calls nobody.
  allowed_mentions: { parse: [] },
  embeds: [
    {
      title: truncate(`${signOf(content)} ${content.title}`, 256, { escape }),
      description: descriptionOf(content),
      color: Number.parseInt(colourOf(content), 16),
      fields: content.facts.map(({ label, value }) => ({
        name: truncate(label, 80, { escape }),
        // All of an embed has at most 6,000 characters.
        value: truncate(value, 180, { escape }),
        inline: value.length <= 40,
      })),
      footer: { text: truncate(sourceOf(content), 200) },
    },
  ],
})

function descriptionOf({ text, lines, link }: Content): string {
  const log = lastThatFit(lines, 1_200, { escape: (line) => line.replaceAll('```', "'''") })
  return [
    truncate(text, 1_000, { escape }),
    log && `\`\`\`\n${log}\n\`\`\``,
    `[${escape(link.label)}](<${link.url}>)`,
  ]
    .filter(Boolean)
    .join('\n')
}
