/** For what a person need not see but whoever looks into the browser's console should. */
export function logError(message: string, cause?: unknown) {
  // oxlint-disable-next-line no-console -- the one place that writes there
  console.error(message, ...(cause === undefined ? [] : [cause]))
}
