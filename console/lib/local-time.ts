export const toLocalTime = (when: Date) =>
  new Date(when.getTime() - when.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
