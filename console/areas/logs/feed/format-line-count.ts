/** For example "1,234 lines were" or "1 line was". */
export const formatLineCount = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`
