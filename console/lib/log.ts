export function logError(message: string, cause?: unknown) {
  // oxlint-disable-next-line no-console -- other modules log through this function
  console.error(message, ...(cause === undefined ? [] : [cause]))
}
