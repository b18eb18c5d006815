import type { Pair } from '../../../../contract/shared/entries.ts'
import type { Model } from '../../compose/model.ts'

/** Masking shorter values would garble ordinary text. */
const minMaskedLength = 4

/**
 * Masks environment values in messages of Docker, which may quote them whole, line by line or JSON-escaped.
 */
export function maskEnvironmentValues(text: string, env: readonly Pair[]): string {
  const values = env.flatMap(({ value }) => [value, JSON.stringify(value).slice(1, -1), ...linesOf(value)])
  return [...new Set(values)]
    .filter((value) => value.length >= minMaskedLength)
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, value) => left.replaceAll(value, '•••'), text)
}

const linesOf = (value: string) => value.split(/\r?\n/).map((line) => line.trim())

/** Returns the contents of secrets and configs, which are masked like environment values. */
export const secretContents = ({ secrets, configs }: Model): Pair[] =>
  [...Object.entries(configs), ...Object.entries(secrets)].flatMap(([key, { content }]) =>
    content === undefined ? [] : [{ key, value: content }],
  )
