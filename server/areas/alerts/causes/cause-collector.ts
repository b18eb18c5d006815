import { truncate, toSingleLine } from '../../../platform/text/plain-text.ts'
import type { Cause } from '../incident.ts'
import { createSecretMask, type SecretCollector } from '../secret-mask.ts'

/** As much as a person reads in a message. */
const [mostFacts, mostLines, mostSigns] = [10, 10, 300]

export interface CauseCollector extends SecretCollector {
  /** What is known later by the same label stands in its place; what is empty says nothing. */
  fact(label: string, value: string | null | undefined): void
  /** The last of these lines of a log. */
  hear(lines: readonly string[]): void
}

/** Takes what is found as it is found: when the time is over, that is what there is. */
export function createCauseCollector(): CauseCollector & { found(): Cause } {
  const facts = new Map<string, string>()
  const mask = createSecretMask()
  let heard: readonly string[] = []
  // Hidden before it is cut, so that no half of a secret is left.
  const shown = (text: string) => truncate(mask.hide(toSingleLine(text)), mostSigns)
  return {
    fact(label, value) {
      if (value !== null && value !== undefined && value.trim() !== '') facts.set(label, value)
    },
    hear(lines) {
      heard = lines
    },
    learn: (variables) => mask.learn(variables),
    found: () => ({
      facts: [...facts].slice(0, mostFacts).map(([label, value]) => ({ label, value: shown(value) })),
      lines: heard
        .map(shown)
        .filter((line) => line !== '')
        .slice(-mostLines),
    }),
  }
}
