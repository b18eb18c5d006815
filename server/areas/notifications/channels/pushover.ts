import { escapeHtml as escape } from '../../../platform/text/escape-html.ts'
import { cutTo } from '../../../platform/text/plain.ts'
import type { Channel, Settings } from '../channel.ts'
import type { Content } from '../content.ts'
import { field } from '../field.ts'
import { signOf } from '../looks.ts'
import { firstThatFit, lastThatFit, plainContent } from '../plain.ts'
import { post } from '../post.ts'

export const pushover: Channel = {
  type: 'pushover',
  name: 'Pushover',
  says: 'Pushes to the phones of a user or a group of Pushover.',
  help: 'Log in at pushover.net: your user key stands at the top right; for several people make a group there and take its key. Then choose Create an Application/API Token at the bottom, name it Slipway, and copy its API token.',
  link: 'https://pushover.net/api',
  fields: [
    field({
      name: 'token',
      label: 'API token',
      type: 'secret',
      help: 'Of the application that you made at Pushover.',
      placeholder: 'azGDORePK8gMaC0QOYAMyEEuzJnyUi',
    }),
    field({
      name: 'user',
      label: 'User or group key',
      type: 'secret',
      help: 'Whom it is for.',
      placeholder: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG',
    }),
    field({
      name: 'critical',
      label: 'Critical alerts',
      type: 'choice',
      help: 'How loud a critical alert is when it begins or goes on.',
      choices: [
        { value: 'high', label: 'Loud, in quiet hours too' },
        { value: 'emergency', label: 'Again every minute for an hour, until somebody acknowledges it' },
        { value: 'normal', label: 'As any other message' },
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
    return post(ctx, {
      url: url.href,
      trusted: url.origin,
      body: messageOf(settings, plainContent(content)),
      signal,
      gone: /application token is invalid|user (key|identifier).* (is invalid|is not)|user.*has no active devices/i,
    })
  },
}

const messageOf = ({ token, user, critical }: Settings, content: Content) => ({
  token,
  user,
  title: cutTo(`${signOf(content)} ${content.title}`, 250),
  message: textOf(content),
  html: 1,
  url: content.link.url.slice(0, 512),
  url_title: cutTo(content.link.label, 100),
  timestamp: Math.floor(Date.parse(content.at) / 1000),
  ...urgencyOf(content, critical),
})

function urgencyOf({ kind, severity }: Content, critical = 'high') {
  if (kind === 'over' || severity === 'good') return { priority: -1 }
  if (severity !== 'critical' || critical === 'normal') return { priority: 0 }
  return critical === 'emergency' ? { priority: 2, retry: 60, expire: 3600 } : { priority: 1 }
}

/** At most 1,024 characters, and never nothing. */
function textOf(content: Content): string {
  const facts = content.facts.map(
    ({ label, value }) => `<b>${cutTo(label, 60, { escape })}:</b> ${cutTo(value, 200, { escape })}`,
  )
  return [
    cutTo(content.text, 340, { escape }),
    firstThatFit(facts, 300),
    lastThatFit(content.lines, 300, { escape }),
    `<i>${cutTo(content.workspace.name, 60, { escape })}</i>`,
  ]
    .filter(Boolean)
    .join('\n')
}
