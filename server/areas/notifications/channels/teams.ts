import type { Channel } from '../channel.ts'
import type { Content } from '../content.ts'
import { field } from '../field.ts'
import { signOf, sourceOf, toneOf } from '../looks.ts'
import { lastThatFit, plainContent } from '../plain.ts'
import { post } from '../post.ts'
import { whyNotCalled } from '../receiver.ts'

export const teams: Channel = {
  type: 'teams',
  name: 'Microsoft Teams',
  says: 'Posts a card to a channel or a chat of Microsoft Teams.',
  help: 'In Teams, press the three dots beside the channel or the chat and choose Workflows. Pick "Send webhook alerts to a channel" (it was called "Post to a channel when a webhook request is received"), press Next, check the team and the channel, and Add workflow. Copy the URL that it shows then. If you have closed it: make.powerautomate.com, My flows, the flow, Edit, its first step.',
  link: 'https://support.microsoft.com/en-us/office/8ae491c7-0394-4861-ba59-055e33f75498',
  fields: [
    field({
      name: 'url',
      label: 'Workflow URL',
      type: 'secret',
      help: 'Whoever has it can post to the channel, so it is kept as a secret.',
      placeholder: 'https://….powerplatform.com/…/triggers/manual/paths/invoke?…',
    }),
  ],
  async check(ctx, { url = '' }): Promise<Record<string, string>> {
    const wrong = await whyNotCalled(ctx, url)
    if (wrong) return { url: wrong }
    return /(^|\.)webhook\.office\.com$|^outlook\.office(365)?\.com$/.test(new URL(url).hostname)
      ? { url: 'This is the URL of a connector, which Microsoft has retired. Make a workflow instead.' }
      : {}
  },
  send: (ctx, { url = '' }, { content, signal }) =>
    post(ctx, {
      url,
      body: messageOf(plainContent(content)),
      signal,
      gone: /workflow .*(could not be found|is not enabled|disabled)|WorkflowNotFound|trigger is not enabled/i,
    }),
}

const messageOf = (content: Content) => ({
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
        body: bodyOf(content),
        actions: [{ type: 'Action.OpenUrl', title: run(content.link.label).text, url: content.link.url }],
      },
    },
  ],
})

const styles = { critical: 'attention', warning: 'warning', good: 'good', info: 'accent' }

function bodyOf(content: Content): object[] {
  // All of it has to stay below 28 KB.
  const log = lastThatFit(content.lines, 3_000, { size: (line) => Buffer.byteLength(line) })
  const title = `${signOf(content)} ${content.title}`
  return [
    {
      type: 'Container',
      style: styles[toneOf(content)],
      bleed: true,
      items: [text(run(title, { weight: 'Bolder', size: 'Medium' }))],
    },
    ...content.text
      .split('\n')
      .filter(Boolean)
      .map((line) => text(run(line))),
    ...content.facts.map(({ label, value }) => text(run(`${label}: `, { weight: 'Bolder' }), run(value))),
    ...(log ? [{ type: 'Container', style: 'emphasis', items: log.split('\n').map(codeLine) }] : []),
    text(run(sourceOf(content), { size: 'Small', isSubtle: true })),
  ]
}

/** Unlike a TextBlock it shows every sign as it is, and so makes no links and nothing bold of names. */
const text = (...inlines: object[]) => ({ type: 'RichTextBlock', inlines })

const codeLine = (line: string) => ({
  ...text(run(line || ' ', { fontType: 'Monospace', size: 'Small' })),
  spacing: 'None',
})

/** Two braces would call a function of the card, such as DATE: something that is not seen comes between them. */
const run = (given: string, looks: object = {}) => ({
  type: 'TextRun',
  text: given.replaceAll(/([{$])(?=\{)/g, '$1\u2060'),
  ...looks,
})
