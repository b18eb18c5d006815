const reasons: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  ENOTFOUND: 'its name was not found',
  EAI_AGAIN: 'its name could not be looked up',
  UND_ERR_SOCKET: 'the connection was cut',
}

export const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TimeoutError' || isTimeout(error.cause))

/** `fetch` says only that it failed; why is in the cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!(error.cause instanceof Error)) return error.message
  const { code = '', message }: Error & { code?: string } = error.cause
  return reasons[code] ?? (message || error.message)
}
