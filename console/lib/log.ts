export function logError(message: string, cause?: unknown) {
  // oxlint-disable-next-line no-console -- the one place that writes there
  console.error(message, ...(cause === undefined ? [] : [cause]))
}
