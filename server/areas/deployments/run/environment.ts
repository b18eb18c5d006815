import type { Pair } from '../../../../contract/shared/entries.ts'
import type { Model } from '../../compose/model.ts'

/** So short a value is a word like any other. */
const shortest = 4

/** What Docker says can quote the environment that it was given, also line by line or as it stands in quotes. */
export function withoutValues(text: string, env: readonly Pair[]): string {
  const values = env.flatMap(({ value }) => [value, JSON.stringify(value).slice(1, -1), ...linesOf(value)])
  return [...new Set(values)]
    .filter((value) => value.length >= shortest)
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, value) => left.replaceAll(value, '•••'), text)
}

const linesOf = (value: string) => value.split(/\r?\n/).map((line) => line.trim())

/** What the secrets and configs of a compose file hold, which is told as little as the environment. */
export const contentsOf = ({ secrets, configs }: Model): Pair[] =>
  [...Object.entries(configs), ...Object.entries(secrets)].flatMap(([key, { content }]) =>
    content === undefined ? [] : [{ key, value: content }],
  )
