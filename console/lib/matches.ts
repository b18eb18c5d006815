/** Whether what is searched for stands in one of the texts, in whatever case. */
export const matches = (q: string, ...texts: string[]) =>
  texts.some((text) => text.toLowerCase().includes(q.trim().toLowerCase()))
