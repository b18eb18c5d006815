import { channelField, type ChannelType } from '../channel-type.ts'
import {
  effectiveSeverity,
  joinLastFitting,
  type MessageContent,
  messageFooter,
  severityEmoji,
  toPlainContent,
} from '../message-content.ts'
import { checkReceiverUrl, postMessage } from '../post-message.ts'

export const teams: ChannelType = {
  type: 'teams',
  name: 'Microsoft Teams',
  description: 'Post to a Microsoft Teams channel or chat.',
  help: 'In Teams, open the menu (⋯) of the channel or chat and choose Workflows. Select "Send webhook alerts to a channel" (formerly "Post to a channel when a webhook request is received"), check the team and channel and add the workflow. Copy the URL. You can find it again at make.powerautomate.com under My flows, in the first step of the flow.',
  link: 'https://support.microsoft.com/en-us/office/8ae491c7-0394-4861-ba59-055e33f75498',
  fields: [
    channelField({
      name: 'url',
      label: 'Workflow URL',
      type: 'secret',
      help: 'Stored encrypted: anyone with this URL can post to the channel.',
      placeholder: 'https://….powerplatform.com/…/triggers/manual/paths/invoke?…',
    }),
  ],
  async check(ctx, { url = '' }): Promise<Record<string, string>> {
    const wrong = await checkReceiverUrl(ctx, url)
    if (wrong) return { url: wrong }
    return /(^|\.)webhook\.office\.com$|^outlook\.office(365)?\.com$/.test(new URL(url).hostname)
      ? { url: 'This is a connector URL. Microsoft retired connectors: create a workflow instead.' }
      : {}
  },
  send: (ctx, { url = '' }, { content, signal }) =>
    postMessage(ctx, {
      url,
      body: toTeamsMessage(toPlainContent(content)),
      signal,
      gone: /workflow .*(could not be found|is not enabled|disabled)|WorkflowNotFound|trigger is not enabled/i,
    }),
}

const toTeamsMessage = (content: MessageContent) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        fallbackText: run(content.title).text,
        msteams: { width: 'Full' },
        body: toCardBody(content),
        actions: [{ type: 'Action.OpenUrl', title: run(content.link.label).text, url: content.link.url }],
      },
    },
  ],
})

const styles = { critical: 'attention', warning: 'warning', good: 'good', info: 'accent' }

function toCardBody(content: MessageContent): object[] {
  // Teams limits a card to 28 KB.
  const log = joinLastFitting(content.lines, 3_000, { size: (line) => Buffer.byteLength(line) })
  const title = `${severityEmoji(content)} ${content.title}`
  return [
    {
      type: 'Container',
      style: styles[effectiveSeverity(content)],
      bleed: true,
      items: [text(run(title, { weight: 'Bolder', size: 'Medium' }))],
    },
    ...content.text
      .split('\n')
      .filter(Boolean)
      .map((line) => text(run(line))),
    ...content.facts.map(({ label, value }) => text(run(`${label}: `, { weight: 'Bolder' }), run(value))),
    ...(log ? [{ type: 'Container', style: 'emphasis', items: log.split('\n').map(codeLine) }] : []),
    text(run(messageFooter(content), { size: 'Small', isSubtle: true })),
  ]
}

/** A RichTextBlock shows every character literally, unlike a TextBlock. */
const text = (...inlines: object[]) => ({ type: 'RichTextBlock', inlines })

const codeLine = (line: string) => ({
  ...text(run(line || ' ', { fontType: 'Monospace', size: 'Small' })),
  spacing: 'None',
})

/** Double braces call a card function such as DATE, so a zero-width character separates them. */
const run = (text: string, looks: object = {}) => ({
  type: 'TextRun',
  text: text.replaceAll(/([{$])(?=\{)/g, '$1\u2060'),
  ...looks,
})
