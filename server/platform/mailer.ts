import { createTransport } from 'nodemailer'
import { readSmtpUrl } from '../../contract/shared/smtp-url.ts'
import { isLoopback } from './net/address-range.ts'
import { PermanentFailure } from './jobs.ts'
import type { Log } from './log.ts'

export interface EmailMessage {
  to: string
  subject: string
  text: string
  html?: string | undefined
  replyTo?: string | undefined
}

export interface Mailer {
  send(letter: EmailMessage): Promise<void>
}

export function createMailer(
  { SMTP_URL, MAIL_FROM }: { SMTP_URL?: string | undefined; MAIL_FROM: string },
  log: Log,
): Mailer | undefined {
  if (SMTP_URL === undefined) return undefined
  const server = readSmtpUrl(SMTP_URL)
  if (!server) throw new Error('The URL of the email server is not valid.')
  const { auth, rejectUnauthorized } = server
  const host = server.port === undefined ? server.host : `${server.host}:${server.port}`
  const transport = createTransport({
    host: server.host,
    secure: server.secure,
    ...(server.port !== undefined && { port: server.port }),
    ...(auth && { auth }),
    ...(rejectUnauthorized !== undefined && { tls: { rejectUnauthorized } }),
    // A password is sent only over TLS, unless the server is this machine or the URL contains ?requireTLS=false.
    requireTLS: server.requireTLS ?? (auth !== undefined && !isLoopback(server.host)),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    // A message must not read local files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  log.info({ host }, 'Configured the email server')
  return {
    async send({ to, subject, text, html, replyTo }) {
      if (!plainAddress.test(to)) throw new PermanentFailure('The recipient is not a valid email address.')
      try {
        await transport.sendMail({
          from: MAIL_FROM,
          // The library does not parse an object, so the address cannot add a second recipient.
          to: { name: '', address: to },
          ...(replyTo && plainAddress.test(replyTo) && { replyTo: { name: '', address: replyTo } }),
          subject: subject.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '),
          text,
          html,
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
      } catch (error) {
        throw toMailError(host, error)
      }
    },
  }
}

const plainAddress = /^[^\s\p{Cc}<>()[\]\\,;:"@]{1,64}@[^\s\p{Cc}<>()[\]\\,;:"@]{1,253}$/u

function toMailError(host: string, error: unknown): Error {
  if (!(error instanceof Error))
    return new Error(`Could not send the email through ${host}: ${String(error)}`)
  const { code = '', responseCode = 0 }: Failure = error
  const forGood = responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')
  const sentence =
    responseCode > 0
      ? `The email server ${host} rejected the email: ${error.message}`
      : `Could not send the email through ${host}: ${error.message}`
  return forGood ? new PermanentFailure(sentence, { cause: error }) : new Error(sentence, { cause: error })
}

interface Failure extends Error {
  code?: string
  responseCode?: number
}
