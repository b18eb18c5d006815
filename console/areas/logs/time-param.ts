/** Converts a URL parameter to the API format; '' if invalid. */
export function parseTimeParam(given: string | null): string {
  if (given === null || !moment.test(given)) return ''
  return Date.parse(given) >= 0 ? given : ''
}

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/
