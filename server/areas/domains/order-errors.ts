export class OrderPostponed extends Error {}

export class OrderRateLimited extends OrderPostponed {
  readonly until: Date

  constructor({ reason, until }: { reason: string; until: Date }) {
    super(reason)
    this.until = until
  }
}

interface Answer {
  type?: string
  retryAfter?: number
}

export class OrderRejected extends Error {
  readonly type: string
  readonly retryAfter: number

  constructor(words: string, { type = '', retryAfter = 0 }: Answer = {}) {
    super(words)
    this.type = type
    this.retryAfter = retryAfter
  }
}
