export const matchesTerm = (q: string, ...texts: string[]) =>
  texts.some((text) => text.toLowerCase().includes(q.trim().toLowerCase()))
