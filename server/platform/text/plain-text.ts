/** What a terminal takes for an order: colours, the title of its window, and the like. */
const orders =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /(?:\u001b\]|\u009d)[^\u0007\u001b]*(?:\u0007|\u001b\\)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g
const breaks = /[\r\n\t\v\f\u0085\u2028\u2029]+/g
/** Other controls, and what turns the direction of a text or is not seen in it. */
const unseen = /(?!\n)[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu
/** Nobody has a text of this length shown. */
const farTooLong = 20_000

/** What somebody else has written, as plain text of one line. */
export const toSingleLine = (text: string): string =>
  toPlainText(text.slice(0, farTooLong).replaceAll(breaks, ' '))

/** The same, of as many lines as it has. */
export const toPlainText = (text: string): string =>
  replaceLoneSurrogates(
    text
      .slice(0, farTooLong)
      .replaceAll(orders, '')
      .replaceAll(/\r\n?/g, '\n')
      .replaceAll('\t', ' ')
      .replaceAll(unseen, '')
      .trimEnd(),
  )

/** Half of a sign, which nothing takes, becomes one that says so. */
export const replaceLoneSurrogates = (text: string): string => Buffer.from(text).toString()

export interface TruncateOptions {
  /** How it is written where it goes; what that adds counts. */
  escape?: (text: string) => string
  size?: (text: string) => number
}

/** As much of a text as fits, as it is written there. */
export function truncate(text: string, most: number, fitting: TruncateOptions = {}): string {
  const { escape = (given) => given, size = (given) => given.length } = fitting
  const fits = (given: string) => size(escape(given)) <= most
  if (fits(text)) return escape(text)
  // Not in the middle of a sign that takes the room of two.
  const cutAt = (at: number) => `${text.slice(0, at).replace(/[\ud800-\udbff]$/, '')}…`
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(cutAt(middle))) low = middle
    else high = middle - 1
  }
  return low === 0 ? '' : escape(cutAt(low))
}
