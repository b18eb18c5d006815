import { escapeHtml as escape, truncate } from '../../../platform/text/plain-text.ts'
import { channelField, type ChannelType, type ChannelSettings } from '../channel-type.ts'
import {
  joinFirstFitting,
  joinLastFitting,
  type MessageContent,
  severityEmoji,
  toPlainContent,
} from '../message-content.ts'
import { postMessage } from '../post-message.ts'

export const pushover: ChannelType = {
  type: 'pushover',
  name: 'Pushover',
  description: 'Push to the devices of a Pushover user or group.',
  help: 'Log in at pushover.net and copy your user key (top right) or the key of a group. Then choose Create an Application/API Token, name it Slipway and copy its API token.',
  link: 'https://pushover.net/api',
  fields: [
    channelField({
      name: 'token',
      label: 'API token',
      type: 'secret',
      help: 'API token of your Pushover application.',
      placeholder: 'azGDORePK8gMaC0QOYAMyEEuzJnyUi',
    }),
    channelField({
      name: 'user',
      label: 'User or group key',
      type: 'secret',
      help: 'User or group that receives the messages.',
      placeholder: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG',
    }),
    channelField({
      name: 'critical',
      label: 'Critical alerts',
      type: 'choice',
      help: 'Priority of critical alerts and their reminders.',
      choices: [
        { value: 'high', label: 'High priority, bypasses quiet hours' },
        { value: 'emergency', label: 'Emergency: repeat every minute for an hour until acknowledged' },
        { value: 'normal', label: 'Normal priority' },
      ],
      default: 'high',
    }),
  ],
  check: (_, { token = '', user = '' }) => ({
    ...(!/^[A-Za-z0-9]{30}$/.test(token) && { token: 'Must be 30 letters and digits.' }),
    ...(!/^[A-Za-z0-9]{30}$/.test(user) && { user: 'Must be 30 letters and digits.' }),
  }),
  send(ctx, settings, { content, signal }) {
    const url = new URL(`${ctx.config.PUSHOVER_API_URL}/1/messages.json`)
    return postMessage(ctx, {
      url: url.href,
      trusted: url.origin,
      body: toPushoverMessage(settings, toPlainContent(content)),
      signal,
      gone: /application token is invalid|user (key|identifier).* (is invalid|is not)|user.*has no active devices/i,
    })
  },
}

const toPushoverMessage = ({ token, user, critical }: ChannelSettings, content: MessageContent) => ({
  token,
  user,
  title: truncate(`${severityEmoji(content)} ${content.title}`, 250),
  message: toHtml(content),
  html: 1,
  url: content.link.url.slice(0, 512),
  url_title: truncate(content.link.label, 100),
  timestamp: Math.floor(Date.parse(content.at) / 1000),
  ...toPriority(content, critical),
})

function toPriority({ kind, severity }: MessageContent, critical = 'high') {
  if (kind === 'over' || severity === 'good') return { priority: -1 }
  if (severity !== 'critical' || critical === 'normal') return { priority: 0 }
  return critical === 'emergency' ? { priority: 2, retry: 60, expire: 3600 } : { priority: 1 }
}

/** Pushover accepts 1 to 1,024 characters. */
function toHtml(content: MessageContent): string {
  const facts = content.facts.map(
    ({ label, value }) => `<b>${truncate(label, 60, { escape })}:</b> ${truncate(value, 200, { escape })}`,
  )
  return [
    truncate(content.text, 340, { escape }),
    joinFirstFitting(facts, 300),
    joinLastFitting(content.lines, 300, { escape }),
    `<i>${truncate(content.workspace.name, 60, { escape })}</i>`,
  ]
    .filter(Boolean)
    .join('\n')
}
