import type { Pair } from '../../../contract/entries.ts'

/** So short a value is a word like any other. */
const shortest = 4

/** What Docker says can quote the environment that it was given. */
export function withoutValues(text: string, env: Pair[]): string {
  const values = env.map(({ value }) => value).filter((value) => value.length >= shortest)
  return values
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, value) => left.replaceAll(value, '•••'), text)
}
