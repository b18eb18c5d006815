import { truncate, toSingleLine } from './plain-text.ts'

const longest = 60
/** Full stops of every script that a browser takes for the one in a host name. */
const dot = String.raw`[.\u3002]`
const label = String.raw`[\p{L}\p{N}\p{M}_-]+`
const host = String.raw`${label}(?:${dot}${label})*${dot}(?:xn--[\w-]+|\p{L}[\p{L}\p{M}]+)`

/** Matches text with a scheme, a path, a user or `www.`, which no name needs. */
const link = new RegExp(
  String.raw`\b[a-z][a-z\d+.-]*:\/\/\S*|\b(?:mailto|javascript|data|tel):\S*|\bwww${dot}\S*|\S*@${host}\S*|${host}(?::\d+)?[/?#]\S*|\/\/${host}\S*`,
  'giu',
)
const hostName = new RegExp(host, 'giu')

/**
 * Makes a user-chosen name safe for the subject or first line of an email: one short line without text that mail clients
 * turn into links, because the operator is the sender.
 */
export function toMailSafeName(name: string, fallback = 'somebody'): string {
  const plain = toSingleLine(name.slice(0, 300).normalize('NFKC')).replaceAll(/\p{Cf}/gu, '')
  return truncate(removeLinks(plain), longest) || fallback
}

/** Removes links from a line that contains names, such as the title of an alert. */
export const removeLinks = (line: string): string =>
  line
    .replaceAll(link, ' ')
    .replaceAll(hostName, (found) => found.replaceAll(/[.\u3002]/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim()
