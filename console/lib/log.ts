export function logError(message: string, cause?: unknown) {
  // oxlint-disable-next-line no-console -- all logging of the console goes through this function
  console.error(message, ...(cause === undefined ? [] : [cause]))
}
