const orders =
  // oxlint-disable-next-line no-control-regex -- escape sequences start with a control character
  /(?:\u001b\]|\u009d)[^\u0007\u001b]*(?:\u0007|\u001b\\)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g
const breaks = /[\r\n\t\v\f\u0085\u2028\u2029]+/g
const unseen = /(?!\n)[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu
/** Longer text is cut before it is processed, to limit the time. */
const farTooLong = 20_000

export const toSingleLine = (text: string): string =>
  toPlainText(text.slice(0, farTooLong).replaceAll(breaks, ' '))

const color =
  // oxlint-disable-next-line no-control-regex -- escape sequences start with a control character
  /^\u001b\[[\d;]{0,40}m$/
// oxlint-disable-next-line no-control-regex -- control characters are removed
const unseenButColors = /(?!\u001b)[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu

/** Removes control characters except the escape sequences of colors, which the console shows. */
export const toColoredLine = (text: string): string =>
  replaceLoneSurrogates(
    text
      .slice(0, farTooLong)
      .replaceAll(breaks, ' ')
      .replaceAll(orders, (found) => (color.test(found) ? found : ''))
      .replaceAll(unseenButColors, '')
      .trimEnd(),
  )

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

/** Replaces lone surrogates with U+FFFD. */
export const replaceLoneSurrogates = (text: string): string => Buffer.from(text).toString()

export interface TruncateOptions {
  /** Escapes the result. The characters that escaping adds count towards the limit. */
  escape?: (text: string) => string
  size?: (text: string) => number
}

export function truncate(text: string, most: number, fitting: TruncateOptions = {}): string {
  const { escape = (value) => value, size = (value) => value.length } = fitting
  const fits = (value: string) => size(escape(value)) <= most
  if (fits(text)) return escape(text)
  // A surrogate pair must not be split.
  const cutAt = (at: number) => `${text.slice(0, at).replace(/[\ud800-\udbff]$/, '')}…`
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(cutAt(middle))) low = middle
    else high = middle - 1
  }
  return low === 0 ? '' : escape(cutAt(low))
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const escapeHtml = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign)

const longest = 60
/** Full stops that a browser accepts in a host name, in every script. */
const dot = String.raw`[.\u3002]`
const label = String.raw`[\p{L}\p{N}\p{M}_-]+`
const host = String.raw`${label}(?:${dot}${label})*${dot}(?:xn--[\w-]+|\p{L}[\p{L}\p{M}]+)`

const link = new RegExp(
  String.raw`\b[a-z][a-z\d+.-]*:\/\/\S*|\b(?:mailto|javascript|data|tel):\S*|\bwww${dot}\S*|\S*@${host}\S*|${host}(?::\d+)?[/?#]\S*|\/\/${host}\S*`,
  'giu',
)
const hostName = new RegExp(host, 'giu')

/**
 * Removes everything that mail clients turn into links from a name that a user chose, because the operator is the
 * sender.
 */
export function toMailSafeName(name: string, fallback = 'there'): string {
  const plain = toSingleLine(name.slice(0, 300).normalize('NFKC')).replaceAll(/\p{Cf}/gu, '')
  return truncate(removeLinks(plain), longest) || fallback
}

export const removeLinks = (line: string): string =>
  line
    .replaceAll(link, ' ')
    .replaceAll(hostName, (found) => found.replaceAll(/[.\u3002]/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim()
