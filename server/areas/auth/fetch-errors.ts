const reasons: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection lost',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'DNS lookup failed',
  UND_ERR_SOCKET: 'connection lost',
}

export const isTimeoutError = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TimeoutError' || isTimeoutError(error.cause))

/** `fetch` puts the reason of a failure into `cause`. */
export function fetchFailureReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!(error.cause instanceof Error)) return error.message
  const { code = '', message }: Error & { code?: string } = error.cause
  return reasons[code] ?? (message || error.message)
}
