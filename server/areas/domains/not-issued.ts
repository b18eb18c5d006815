/** It makes no sense to ask the certificate authority yet, or it cannot be asked; the words say why and what to do. */
export class NotYet extends Error {}

/** The same, and when it does. */
export class NotBefore extends NotYet {
  readonly until: Date

  constructor({ says, until }: { says: string; until: Date }) {
    super(says)
    this.until = until
  }
}

interface Answer {
  /** What kind of refusal it is, as the authority names it. */
  type?: string
  /** Seconds that it wants to be left alone. */
  retryAfter?: number
}

/** The certificate authority said no, in its own words. */
export class Refused extends Error {
  readonly type: string
  readonly retryAfter: number

  constructor(words: string, { type = '', retryAfter = 0 }: Answer = {}) {
    super(words)
    this.type = type
    this.retryAfter = retryAfter
  }
}
