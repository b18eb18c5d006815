import { truncate } from '../../../platform/text/plain-text.ts'
import { channelField, type ChannelType } from '../channel-type.ts'
import {
  joinFirstFitting,
  joinLastFitting,
  type MessageContent,
  messageFooter,
  toPlainContent,
} from '../message-content.ts'
import { postMessage } from '../post-message.ts'

export const ntfy: ChannelType = {
  type: 'ntfy',
  name: 'ntfy',
  description: 'Push to phones and desktops through ntfy.sh or your own ntfy server.',
  help: 'In the ntfy app or on ntfy.sh, subscribe to a topic with a name that is hard to guess, such as harbour-8f3kq2, and enter the same name here. If your own server requires it, create an access token under Account, Access tokens.',
  link: 'https://docs.ntfy.sh',
  fields: [
    channelField({
      name: 'server',
      label: 'Server',
      type: 'url',
      help: 'https://ntfy.sh or the URL of your own server.',
      placeholder: 'https://ntfy.sh',
      default: 'https://ntfy.sh',
    }),
    channelField({
      name: 'topic',
      label: 'Topic',
      type: 'secret',
      help: 'Stored encrypted: on public servers, anyone who knows the topic can read it.',
      placeholder: 'harbour-8f3kq2',
    }),
    channelField({
      name: 'token',
      label: 'Access token',
      type: 'secret',
      required: false,
      help: 'For protected topics.',
      placeholder: 'tk_…',
    }),
  ],
  secretsSentToUrl: ['topic', 'token'],
  check: (_, { server = '', topic = '', token = '' }) => ({
    ...(!/^[-\w]{1,64}$/.test(topic) && {
      topic: 'Must be 1 to 64 letters, digits, dashes or underscores.',
    }),
    ...(URL.canParse(server) &&
      new URL(server).search !== '' && { server: 'Must be a server URL without a query.' }),
    ...(!/^[\x21-\x7e]*$/.test(token) && {
      token: 'Must be a token such as tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2.',
    }),
  }),
  send: (ctx, { server = '', topic = '', token }, { content, signal }) =>
    postMessage(ctx, {
      url: `${server.replace(/\/+$/, '')}/`,
      ...(token && { headers: { authorization: `Bearer ${token}` } }),
      body: toNtfyMessage(topic, toPlainContent(content)),
      signal,
    }),
}

const priorities = { critical: 5, warning: 4, good: 3, info: 3 }
const tags = {
  critical: 'rotating_light',
  warning: 'warning',
  good: 'white_check_mark',
  info: 'information_source',
}

const toNtfyMessage = (topic: string, content: MessageContent) => ({
  topic,
  title: truncate(content.title, 250, { size }),
  message: toText(content),
  tags: [content.kind === 'over' ? tags.good : content.kind === 'test' ? 'bell' : tags[content.severity]],
  priority: content.kind === 'over' ? priorities.good : priorities[content.severity],
  click: content.link.url,
  actions: [{ action: 'view', label: content.link.label, url: content.link.url }],
})

const size = (text: string) => Buffer.byteLength(text)

/** ntfy turns a body over 4,096 bytes into an attachment. */
function toText(content: MessageContent): string {
  const facts = content.facts.map(({ label, value }) => `${label}: ${value}`)
  return [
    truncate(content.text, 1_200, { size }),
    joinFirstFitting(facts, 1_200, size),
    joinLastFitting(content.lines, 1_200, { size }),
    truncate(messageFooter(content), 300, { size }),
  ]
    .filter(Boolean)
    .join('\n\n')
}
