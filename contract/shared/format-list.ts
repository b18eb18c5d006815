const list = new Intl.ListFormat('en-GB')

/** Formats `api, db and web`. The locale en-GB has no comma before "and". */
export const formatList = (names: readonly string[]): string => list.format(names)

const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' })

export const formatAlternatives = (names: readonly string[]): string => alternatives.format(names)

export const formatCount = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`

/** Names the first `most` and counts the others: `a, b and c`, or `a, b, c, d, e and 3 more`. */
export const formatNames = (names: readonly string[], most = 5): string =>
  names.length > most
    ? `${names.slice(0, most).join(', ')} and ${names.length - most} more`
    : formatList(names)
