/** How long nothing may be typed until a terminal is closed: somebody may have left it open for all to use. */
const longest = 30 * 60_000
const warnBefore = 60_000

interface Say {
  warn: (text: string) => void
  end: (why: string) => void
}

/** Ends what nobody has typed into for long, and says so a minute before. */
export class Idle {
  private readonly most: number
  private readonly say: Say
  private timer: NodeJS.Timeout | undefined

  constructor(most = longest, say: Say) {
    this.most = most
    this.say = say
    this.over()
  }

  /** Something was typed. */
  over(): void {
    clearTimeout(this.timer)
    const notice = Math.min(warnBefore, this.most / 2)
    this.timer = setTimeout(() => this.warn(notice), this.most - notice).unref()
  }

  stop(): void {
    clearTimeout(this.timer)
  }

  private warn(notice: number) {
    this.say.warn(
      `Nothing was typed for ${inWords(this.most - notice)}. This terminal is closed in ${inWords(notice)} unless something is.`,
    )
    const why = `It was closed, as nothing was typed for ${inWords(this.most)}.`
    this.timer = setTimeout(() => this.say.end(why), notice).unref()
  }
}

function inWords(milliseconds: number): string {
  const [count, unit] =
    milliseconds < 60_000
      ? [Math.ceil(milliseconds / 1_000), 'second']
      : [Math.round(milliseconds / 60_000), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
