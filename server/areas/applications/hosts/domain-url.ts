import type { ServerRow } from '../../servers/server.ts'

/** Where people reach it: over HTTPS only once there is a certificate, else a browser would warn of it. */
export function domainUrl(
  { host, path, https }: { host: string; path: string; https: boolean },
  issued: boolean,
  server: Pick<ServerRow, 'http_port' | 'https_port'>,
): string {
  const secure = https && issued
  const [port, usual] = secure ? [server.https_port, 443] : [server.http_port, 80]
  return `${secure ? 'https' : 'http'}://${host}${port === usual ? '' : `:${port}`}${path}`
}

/** Whether browsers take the certificate of a name: it is there, and its time is not over. */
export const isIssued = (certificate: { status: string; expires_at: Date | string | null }) =>
  certificate.status === 'issued' &&
  (certificate.expires_at === null || new Date(certificate.expires_at) > new Date())
