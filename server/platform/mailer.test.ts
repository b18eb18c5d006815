import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { PermanentFailure } from './jobs.ts'
import { createLog } from './log.ts'
import { createMailer, type Mailer } from './mailer.ts'

const log = createLog('error')

interface Received {
  from: string
  to: string[]
  raw: string
}

/** Starts a real mail server and a mailer for it. */
async function start(
  options: SMTPServerOptions = {},
  credentials = '',
): Promise<{ mail: Mailer; received: Received[]; port: number }> {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await new Promise((resolve) => listening.once('listening', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)))
  const port = portOf(listening.address())
  return { mail: mailThrough(`smtp://${credentials}127.0.0.1:${port}`), received, port }
}

const portOf = (address: AddressInfo | string | null) =>
  typeof address === 'object' && address ? address.port : 0

function mailThrough(url: string): Mailer {
  const mail = createMailer({ SMTP_URL: url, MAIL_FROM: 'Slipway <slipway@example.com>' }, log)
  if (!mail) throw new Error('There is no mail.')
  return mail
}

const refusal = (code: number, words: string) => Object.assign(new Error(words), { responseCode: code })

test('is undefined without a mail server', () => {
  expect(createMailer({ MAIL_FROM: 'a@b.c' }, log)).toBeUndefined()
})

test('delivers text and HTML unchanged', async () => {
  const { mail, received } = await start()
  await mail.send({
    to: 'ada@example.com',
    subject: 'Grüße – ✓',
    text: 'Hello Ada,\n.\nhttps://example.com/?a=1&b=2\n',
    html: '<p>Hello <b>Ada</b></p>',
  })
  expect(received).toHaveLength(1)
  expect(received[0]).toMatchObject({ from: 'slipway@example.com', to: ['ada@example.com'] })
  const letter = await PostalMime.parse(received[0]?.raw ?? '')
  expect(letter).toMatchObject({
    subject: 'Grüße – ✓',
    from: { name: 'Slipway', address: 'slipway@example.com' },
    to: [{ address: 'ada@example.com' }],
    html: expect.stringContaining('<p>Hello <b>Ada</b></p>'),
  })
  expect(letter.text?.trim()).toBe('Hello Ada,\n.\nhttps://example.com/?a=1&b=2')
})

test('logs in when the URL has credentials, and reports a refusal', async () => {
  const onAuth: SMTPServerOptions['onAuth'] = ({ username, password }, _, done) =>
    username === 'us@er' && password === 'p:ss/word'
      ? done(null, { user: username })
      : done(refusal(535, 'Who are you?'))
  const options: SMTPServerOptions = { authOptional: false, allowInsecureAuth: true, onAuth }
  const letter = { to: 'ada@example.com', subject: 's', text: 't' }
  const known = await start(options, 'us%40er:p%3Ass%2Fword@')
  await known.mail.send(letter)
  expect(known.received).toHaveLength(1)
  const unknown = await start(options, 'user:hunter2@')
  const failure = await unknown.mail.send(letter).catch((error: unknown) => error)
  expect(String(failure)).toMatch(/127\.0\.0\.1:\d+ rejected the email: .*535 Who are you\?/)
  expect(String(failure)).not.toContain('hunter2')
  expect(failure).not.toBeInstanceOf(PermanentFailure)
})

test("reports the server's reply, and does not retry permanent failures", async () => {
  const { mail } = await start({
    onRcptTo: ({ address }, _, done) =>
      done(address.startsWith('later') ? refusal(451, 'Come back later') : refusal(550, 'No such user here')),
  })
  const send = (to: string) => mail.send({ to, subject: 's', text: 't' }).catch((error: unknown) => error)
  const never = await send('nobody@example.com')
  expect(never).toBeInstanceOf(PermanentFailure)
  expect(String(never)).toContain('No such user here')
  const later = await send('later@example.com')
  expect(later).not.toBeInstanceOf(PermanentFailure)
  expect(String(later)).toContain('Come back later')
})

test('names an unreachable server or one without SMTP', async () => {
  const letter = { to: 'ada@example.com', subject: 's', text: 't' }
  await expect(mailThrough('smtp://127.0.0.1:1').send(letter)).rejects.toThrow(
    /127\.0\.0\.1:1: .*ECONNREFUSED/,
  )
  const rude = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  await new Promise<void>((resolve) => rude.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void rude.close())
  const port = portOf(rude.address())
  await expect(mailThrough(`smtp://127.0.0.1:${port}`).send(letter)).rejects.toThrow(
    /HTTP\/1\.1 400 Bad Request/,
  )
})

test('sends a password only over TLS, unless the URL says otherwise', async () => {
  const seen: unknown[] = []
  const { port } = await start({
    allowInsecureAuth: true,
    onAuth({ password }, _, done) {
      seen.push(password)
      done(null, { user: 'user' })
    },
  })
  const letter = { to: 'ada@example.com', subject: 's', text: 't' }
  await expect(mailThrough(`smtp://user:hunter2@0.0.0.0:${port}`).send(letter)).rejects.toThrow(/STARTTLS/)
  expect(seen).toEqual([])
  await mailThrough(`smtp://user:hunter2@0.0.0.0:${port}?requireTLS=false`).send(letter)
  expect(seen).toEqual(['hunter2'])
})

test('ignores other options of the mail library in the URL', () => {
  expect(() => mailThrough('smtp://127.0.0.1?sendmail=true&path=/bin/sh')).toThrow('not valid')
})

test.each([
  'Hello\r\nBcc: eve@example.com',
  'Hello\nBcc: eve@example.com\n\nOther text',
  'Hello\rBcc: eve@example.com',
  'Hello\u0000\u2028Bcc: eve@example.com',
])('adds no header through a line break in the subject: %j', async (subject) => {
  const { mail, received } = await start()
  await mail.send({ to: 'ada@example.com', subject, text: 'text' })
  expect(received[0]?.to).toEqual(['ada@example.com'])
  const letter = await PostalMime.parse(received[0]?.raw ?? '')
  expect(letter.subject).toMatch(/^Hello Bcc: eve@example.com/)
  expect(letter.headers.map(({ key }) => key)).not.toContain('bcc')
  expect(letter.text?.trim()).toBe('text')
})

test.each([
  'ada@example.com\r\nBcc: eve@example.com',
  'ada@example.com\nRCPT TO:<eve@example.com>',
  'ada@example.com, eve@example.com',
  'Ada <ada@example.com>',
  'ada@example.com>\u0000',
  '"a b"@example.com',
  'ada',
  '',
])('refuses recipients that are not one plain address: %j', async (to) => {
  const { mail, received } = await start()
  await expect(mail.send({ to, subject: 's', text: 't' })).rejects.toThrow('not a valid email address')
  expect(received).toEqual([])
})
