import { afterAll, describe, expect, test } from 'vitest'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { startDiscord } from '../../../test/support/fakes/receivers/discord.ts'
import { startNtfy } from '../../../test/support/fakes/receivers/ntfy.ts'
import { startPushover } from '../../../test/support/fakes/receivers/pushover.ts'
import { startSlack } from '../../../test/support/fakes/receivers/slack.ts'
import { startTeams } from '../../../test/support/fakes/receivers/teams.ts'
import { startTelegram } from '../../../test/support/fakes/receivers/telegram.ts'
import { startWebhook } from '../../../test/support/fakes/receivers/webhook.ts'
import { makeWorkspace } from '../../../test/support/factories/factories.ts'
import { startMailbox } from '../../../test/support/fakes/mailbox.ts'
import { newId } from '../../platform/ids.ts'
import { channelTypes, findChannelType } from './channel-types.ts'
import type { MessageContent } from './message-content.ts'
import { sealSettings } from './channel-type.ts'
import { readChannelSettings } from './channel-settings.ts'
import { trySending } from './send-messages.ts'

const mailbox = await startMailbox()
const services = {
  slack: await startSlack(),
  discord: await startDiscord(),
  telegram: await startTelegram(),
  teams: await startTeams(),
  ntfy: await startNtfy(),
  pushover: await startPushover(),
  webhook: await startWebhook(),
}
type Service = keyof typeof services
const names = Object.keys(services) as Service[]
const slipway = await startSlipway({
  SMTP_URL: mailbox.url,
  OUTBOUND_NETWORKS: '127.0.0.0/8',
  ...services.telegram.env,
  ...services.pushover.env,
})
afterAll(async () => {
  await slipway.close()
  await Promise.all(Object.values(services).map((service) => service.close()))
  await mailbox.close()
})

const workspace = await makeWorkspace(slipway.db)
const disk: MessageContent = {
  kind: 'started',
  severity: 'critical',
  event: 'alert',
  title: 'Disk of web-1 is 91 % full',
  text: 'It is above 85 % since a minute.',
  facts: [
    { label: 'Server', value: 'web-1' },
    { label: 'Largest', value: '/var/lib/docker (40 GB)' },
  ],
  lines: ['no space left on device', 'retry in 5 s'],
  link: {
    label: 'Open the alert',
    url: 'https://slipway.example/dashboard/notifications?incident=inc_1&x=y',
  },
  at: '2026-11-16T10:00:00.000Z',
  workspace: { id: workspace, name: 'Harbour' },
  ids: { incident_id: 'inc_1' },
}

/** Follows the sending job: validates, seals, opens and sends. */
async function send(
  type: string,
  given: Record<string, string>,
  content: MessageContent,
  id = newId('message'),
) {
  const channel = findChannelType(type)
  if (!channel) throw new Error(`There is no ${type}.`)
  const row = newId('notification')
  const settings_sealed = sealSettings(
    slipway.ctx,
    row,
    await readChannelSettings(slipway.ctx, channel, given),
  )
  return trySending(
    slipway.ctx,
    { id: row, type, settings_sealed },
    { id, content },
    new AbortController().signal,
  )
}

const arrive = (type: Service | 'email', content: MessageContent) =>
  type === 'email' ? arriveByMail(content) : arriveAt(type, content)

async function arriveByMail(content: MessageContent) {
  const to = `${newId('user')}@example.com`
  expect(await send('email', { to }, content)).toMatchObject({ result: 'sent', answer: `Sent to ${to}` })
  const { subject = '', html = '', link } = await mailbox.next(to)
  const visible = decode(html.replaceAll(/<[^<>]*>/g, ''))
  return { shown: [subject, visible].join('\n'), html, subject, link }
}

async function arriveAt(type: Service, content: MessageContent) {
  expect(await send(type, services[type].settings, content)).toMatchObject({ result: 'sent' })
  const last = services[type].messages.at(-1)
  if (!last) throw new Error(`${type} has got nothing.`)
  return last
}

const decode = (html: string) =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

const every = [...names, 'email'] as const

function secretsOf(type: Service): string[] {
  const given: Record<string, string> = services[type].settings
  const fields = findChannelType(type)?.fields ?? []
  return fields.filter((field) => field.type === 'secret').flatMap(({ name }) => given[name] ?? [])
}

test('covers every channel type', () => {
  expect(channelTypes.map(({ type }) => type).toSorted()).toEqual([...every].toSorted())
})

interface RenderedParts {
  shown: string
  calls?: string[]
  markup?: string[]
  functions?: string[]
}

describe.each(every)('%s', (type) => {
  test.each([
    { kind: 'started', severity: 'critical' },
    { kind: 'reminder', severity: 'warning' },
    { kind: 'over', severity: 'critical' },
    { kind: 'happened', severity: 'good' },
    { kind: 'test', severity: 'info' },
  ] as const)('includes everything of a message of kind $kind', async (looks) => {
    const got = await arrive(type, { ...disk, ...looks })
    for (const words of [
      disk.title,
      disk.text,
      'Server',
      'web-1',
      '/var/lib/docker (40 GB)',
      ...disk.lines,
      'Open the alert',
      'Harbour',
    ])
      expect(got.shown).toContain(words)
    expect(got.link).toBe(disk.link.url)
  })

  test('accepts a message with only a title', async () => {
    const { shown } = await arrive(type, { ...disk, text: '', facts: [], lines: [] })
    expect(shown).toContain(disk.title)
  })

  test('truncates long messages to the limits of the service', async () => {
    for (const sign of ['&', '*', '👾', 'ж', '`'.repeat(3), '"']) {
      const { shown } = await arrive(type, {
        ...disk,
        title: sign.repeat(5_000),
        text: sign.repeat(20_000),
        facts: Array.from({ length: 40 }, () => ({ label: sign.repeat(500), value: sign.repeat(9_000) })),
        lines: Array.from({ length: 300 }, () => sign.repeat(1_000)),
        workspace: { ...disk.workspace, name: sign.repeat(100) },
      })
      // Truncation must not split a surrogate pair.
      expect(shown).not.toMatch(/\p{Cs}/u)
    }
  })

  test('shows names literally', async () => {
    const name = '{{7*7}}<!channel>@everyone **x** _y_ `z` </b><script>${x} <@1> [a](https://b.c) &amp; # \\'
    const hostile = `${name}\u202e`
    const content: MessageContent = {
      ...disk,
      title: `${hostile}\r\nBcc: eve@example.com`,
      text: `In the text: ${hostile}`,
      facts: [{ label: hostile, value: `As a fact: ${hostile}` }],
      lines: [`In the log: ${hostile}`],
      workspace: { ...disk.workspace, name: hostile },
    }
    const got = await arrive(type, content)
    const shown = got.shown.replaceAll('\u202e', '')
    for (const where of ['', 'In the text: ', 'As a fact: ', 'In the log: '])
      expect(shown).toContain(`${where}${name}`)
    const { calls = [], markup = [], functions = [] }: RenderedParts = got
    expect([...calls, ...markup, ...functions]).toEqual([])
  })
})

test('shows the severity, and a resolution as good', async () => {
  const over: MessageContent = { ...disk, kind: 'over' }
  expect(await arrive('slack', disk)).toMatchObject({ colour: '#d92d20' })
  expect(await arrive('slack', over)).toMatchObject({ colour: '#079455' })
  expect(await arrive('discord', disk)).toMatchObject({ colour: 0xd92d20 })
  expect(await arrive('teams', { ...disk, severity: 'warning' })).toMatchObject({ style: 'warning' })
  expect(await arrive('teams', over)).toMatchObject({ style: 'good' })
  expect(await arrive('telegram', disk)).toMatchObject({ silent: false })
  expect(await arrive('telegram', over)).toMatchObject({ silent: true })
  expect(await arrive('ntfy', disk)).toMatchObject({ priority: 5, tags: ['rotating_light'] })
  expect(await arrive('ntfy', over)).toMatchObject({ priority: 3, tags: ['white_check_mark'] })
  expect(await arrive('pushover', disk)).toMatchObject({ priority: 1 })
  expect(await arrive('pushover', over)).toMatchObject({ priority: -1 })
  const { settings, messages } = services.pushover
  await send('pushover', { ...settings, critical: 'emergency' }, disk)
  expect(messages.at(-1)).toMatchObject({ priority: 2 })
  expect((await arrive('email', disk)).shown).toMatch(/^🔴/)
  expect((await arrive('email', over)).shown).toMatch(/^✅/)
})

test('renders names in a mail without tags or headers', async () => {
  const title = 'x</p><script>alert(1)</script>\r\nBcc: eve@example.com\r\n\r\nHello'
  const got = await arrive('email', {
    ...disk,
    title,
    lines: [title],
    facts: [{ label: title, value: title }],
  })
  expect(got).toMatchObject({
    html: expect.not.stringMatching(/<script/),
    subject: expect.stringMatching(/^[^\r\n]*Bcc: Hello[^\r\n]*$/),
  })
  expect(mailbox.to('eve@example.com')).toEqual([])
})

test('sends webhooks with a machine-readable type and a stable ID', async () => {
  const id = newId('message')
  const { settings, messages, asked } = services.webhook
  const before = asked.length
  await send('webhook', settings, disk, id)
  await send('webhook', settings, disk, id)
  expect(asked.length).toBe(before + 2)
  expect(messages.filter((one) => one.id === id)).toMatchObject([{ type: 'alert.started' }])
  const wrong = await send('webhook', { ...settings, secret: 'another secret altogether' }, disk)
  expect(wrong).toMatchObject({ result: 'channel_refused', answer: 'HTTP 401: The signature is wrong' })
})

test('sends to a Telegram topic and to each email address', async () => {
  const { settings, messages } = services.telegram
  await send('telegram', { ...settings, topic: '7' }, disk)
  expect(messages.at(-1)).toMatchObject({ topic: 7 })
  const [one, other] = [`${newId('user')}@example.com`, `${newId('user')}@example.com`]
  await send('email', { to: `${one}; ${other},\n${one}` }, disk)
  expect([mailbox.to(one).length, mailbox.to(other).length]).toEqual([1, 1])
})

describe.each(names)('when %s refuses a message', (type) => {
  const service = services[type]
  const { settings } = service

  test('retries after failures, waits when asked to, and never shows a secret', async () => {
    const secret = Object.values(settings).join(' ')
    const result = async (how: Parameters<typeof service.fail>[0]) => {
      service.fail(how, 1)
      return send(type, settings, disk)
    }
    expect(await result({ status: 500, body: `Sorry, ${secret}` })).toMatchObject({ result: 'failed' })
    const echoed = await result({ status: 502, body: { message: `You sent ${secret}` } })
    for (const kept of secretsOf(type)) expect(echoed.answer).not.toContain(kept)
    expect(await result('cut')).toMatchObject({
      result: 'failed',
      answer: 'Could not reach 127.0.0.1: connection lost',
    })
    expect(await result({ status: 429, headers: { 'retry-after': '17' } })).toMatchObject({
      result: 'rate_limited',
      seconds: 17,
    })
    expect(await result({ status: 404, body: 'Not found' })).toMatchObject({ result: 'channel_refused' })
    // A maintenance page refuses every method.
    expect(await result({ status: 405, body: '<h1>Closed</h1>' })).toMatchObject({
      result: 'channel_refused',
    })
    expect(await result({ status: 302, headers: { location: 'http://169.254.169.254/' } })).toMatchObject({
      result: 'channel_refused',
    })
    expect(await result({ status: 413, body: '<h1>Too large</h1>' })).toMatchObject({
      result: 'refused',
      answer: 'HTTP 413',
    })
  })

  test('reports the channel as gone once it was removed there', async () => {
    service.remove()
    const { result, answer } = await send(type, settings, disk)
    // ntfy responds the same for a revoked and an unknown token.
    expect(result).toBe(type === 'ntfy' ? 'channel_refused' : 'gone')
    expect(answer).toMatch(/^HTTP 4\d\d: .+/)
  })
})

test('reads the retry delay from a header, a date or the response body', async () => {
  const { webhook } = services
  const wait = async (how: { headers?: Record<string, string>; body?: object }) => {
    webhook.fail({ status: 429, ...how }, 1)
    return (await send('webhook', webhook.settings, disk)).seconds
  }
  expect(await wait({ body: { message: 'You are being rate limited.', retry_after: 4.2 } })).toBe(5)
  expect(await wait({ body: { description: 'Too Many Requests', parameters: { retry_after: 33 } } })).toBe(33)
  expect(await wait({})).toBe(60)
  const inAMinute = new Date(Date.now() + 60_000).toUTCString()
  expect(await wait({ headers: { 'retry-after': inAMinute } })).toBeGreaterThan(50)
  expect(await wait({ headers: { 'retry-after': 'soon' } })).toBe(60)
})

test('times out when the receiver does not respond', async () => {
  const { webhook } = services
  webhook.fail('slow')
  const config = { ...slipway.ctx.config, OUTSIDE_TIMEOUT: 0.2 }
  const sending = { id: newId('message'), content: disk, signal: new AbortController().signal }
  const sent = findChannelType('webhook')?.send({ ...slipway.ctx, config }, webhook.settings, sending)
  await expect(sent).rejects.toThrow('127.0.0.1 timed out')
  webhook.heal()
})
