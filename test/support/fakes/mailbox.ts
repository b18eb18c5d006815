import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { vi } from 'vitest'

export interface Letter extends Email {
  /** The first link in its text. */
  link: string
  /** Token in the link. */
  token: string
}

/** A real mail server that keeps what it is given. */
export async function startMailbox() {
  const letters: Letter[] = []
  async function keep(stream: Readable) {
    const email = await PostalMime.parse(await buffer(stream))
    const link = /https?:\S+/.exec(email.text ?? '')?.[0] ?? ''
    letters.push({ ...email, link, token: new URL(link).searchParams.get('token') ?? '' })
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _, done) {
      keep(stream).then(
        () => process.nextTick(done),
        (error: unknown) => process.nextTick(done, error),
      )
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('The mail server has no port.')
  const to = (email: string) => letters.filter((letter) => letter.to?.some((one) => one.address === email))
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    to,
    /** Waits for the nth letter to an address. */
    next: (email: string, nth = 1) =>
      vi.waitFor(
        () => {
          const letter = to(email)[nth - 1]
          if (!letter) throw new Error(`No letter ${nth} to ${email}.`)
          return letter
        },
        { interval: 10 },
      ),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
