/** Returns whether one of the texts contains the search term, ignoring case. */
export const matchesTerm = (q: string, ...texts: string[]) =>
  texts.some((text) => text.toLowerCase().includes(q.trim().toLowerCase()))
