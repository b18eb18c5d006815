import type { Pair } from '../../../contract/shared/entries.ts'
import { replaceLoneSurrogates } from '../../platform/text/plain-text.ts'
import { containsPassword, looksSecret } from '../templates/looks-secret.ts'

/** A shorter one would be found in every other word. */
const shortest = 8
/** No line is cut to less. */
const shortestCut = 250
const hidden = '•••'

export interface SecretCollector {
  /** What is not to be seen, whenever that becomes known. */
  learn(variables: readonly Pair[]): void
}

/** Hides the secrets of an application in what it says of itself. */
export function createSecretMask(): SecretCollector & { hide(text: string): string } {
  const secrets = new Set<string>()
  return {
    learn(variables) {
      for (const { key, value } of variables)
        for (const secret of secretsIn(key, value)) if (secret.length >= shortest) secrets.add(secret)
    },
    hide(text) {
      let shown = text.replaceAll(passwords, `$1${hidden}@`)
      // The longest first: a shorter one may stand in it.
      for (const secret of [...secrets].toSorted((one, other) => other.length - one.length))
        shown = withoutBeginning(shown.replaceAll(secret, hidden), secret)
      return shown
    },
  }
}

/** Long lines are cut before they come here, maybe in the middle of one. */
function withoutBeginning(text: string, secret: string): string {
  if (text.length < shortestCut) return text
  const first = secret.slice(0, shortest)
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1))
    if (secret.startsWith(text.slice(at))) return `${text.slice(0, at)}${hidden}`
  return text
}

/** In the middle of an address. */
const passwords = /(:\/\/[^/\s:@]*:)[^/\s@]+@/g

/** As it is, as it stands in an address or in JSON, and line by line: a log is read in lines. */
function secretsIn(key: string, value: string): string[] {
  if (!looksSecret(key) && !containsPassword(value)) return []
  const password = /:\/\/[^/\s:@]*:([^/\s@]+)@/.exec(value)?.[1] ?? ''
  const whole = [value, encodeURIComponent(replaceLoneSurrogates(value)), JSON.stringify(value).slice(1, -1)]
  return [...whole, ...value.split(/\r?\n/).map((line) => line.trim()), password]
}
