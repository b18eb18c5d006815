const list = new Intl.ListFormat('en-GB')

/** `api, db and web`: en-GB has no comma before "and". */
export const formatList = (names: readonly string[]): string => list.format(names)

/** `1 container`, `2 containers` */
export const formatCount = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`

/** Names the first five and counts the rest: `a, b, c, d, e and 3 more` */
export const formatNames = (names: readonly string[]): string =>
  names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ')
