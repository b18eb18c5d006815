import type { Pair } from '../../../contract/shared/entries.ts'
import { replaceLoneSurrogates } from '../../platform/text/plain-text.ts'
import { containsPassword, looksSecret } from '../templates/draft-inputs.ts'

/** Shorter values would match ordinary words. */
const minLength = 8
/** Log lines are never truncated to less than this. */
const minTruncatedLength = 250
const hidden = '•••'

export interface SecretCollector {
  /** May be called at any time; later calls of `hide` mask these values as well. */
  learn(variables: readonly Pair[]): void
}

export function createSecretMask(): SecretCollector & { hide(text: string): string } {
  const secrets = new Set<string>()
  return {
    learn(variables) {
      for (const { key, value } of variables)
        for (const secret of secretForms(key, value)) if (secret.length >= minLength) secrets.add(secret)
    },
    hide(text) {
      let shown = text.replaceAll(passwords, `$1${hidden}@`)
      // Replace longer secrets first: a shorter one may be part of them.
      for (const secret of [...secrets].toSorted((one, other) => other.length - one.length))
        shown = hidePartialSecret(shown.replaceAll(secret, hidden), secret)
      return shown
    },
  }
}

/** A line that was truncated before may end in the middle of a secret. */
function hidePartialSecret(text: string, secret: string): string {
  if (text.length < minTruncatedLength) return text
  const first = secret.slice(0, minLength)
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1))
    if (secret.startsWith(text.slice(at))) return `${text.slice(0, at)}${hidden}`
  return text
}

/** Matches the password in a URL. */
const passwords = /(:\/\/[^/\s:@]*:)[^/\s@]+@/g

/** Includes URL and JSON encodings and single lines, because logs are read line by line. */
function secretForms(key: string, value: string): string[] {
  if (!looksSecret(key) && !containsPassword(value)) return []
  const password = /:\/\/[^/\s:@]*:([^/\s@]+)@/.exec(value)?.[1] ?? ''
  const whole = [value, encodeURIComponent(replaceLoneSurrogates(value)), JSON.stringify(value).slice(1, -1)]
  return [...whole, ...value.split(/\r?\n/).map((line) => line.trim()), password]
}
