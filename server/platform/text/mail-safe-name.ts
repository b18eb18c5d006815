import { truncate, toSingleLine } from './plain-text.ts'

const longest = 60
/** Full stops of every script that a browser takes for the one in a host name. */
const dot = String.raw`[.\u3002]`
const label = String.raw`[\p{L}\p{N}\p{M}_-]+`
const host = String.raw`${label}(?:${dot}${label})*${dot}(?:xn--[\w-]+|\p{L}[\p{L}\p{M}]+)`

/** With a scheme, a path, a user or `www.`: nobody needs that in a name. */
const link = new RegExp(
  String.raw`\b[a-z][a-z\d+.-]*:\/\/\S*|\b(?:mailto|javascript|data|tel):\S*|\bwww${dot}\S*|\S*@${host}\S*|${host}(?::\d+)?[/?#]\S*|\/\/${host}\S*`,
  'giu',
)
const hostName = new RegExp(host, 'giu')

/**
 * A name that somebody chose, as it stands in the subject or the first line of a mail to others: one short line without
 * anything that a mail program makes a link of. Slipway sends it in its operator's name.
 */
export function toMailSafeName(name: string, fallback = 'somebody'): string {
  const plain = toSingleLine(name.slice(0, 300).normalize('NFKC')).replaceAll(/\p{Cf}/gu, '')
  return truncate(removeLinks(plain), longest) || fallback
}

/** The same of a line that holds names, such as the title of an alert, as long as it is. */
export const removeLinks = (line: string): string =>
  line
    .replaceAll(link, ' ')
    .replaceAll(hostName, (found) => found.replaceAll(/[.\u3002]/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim()
