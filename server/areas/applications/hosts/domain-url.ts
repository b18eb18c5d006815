import type { ServerRow } from '../../servers/server.ts'

/** Uses HTTPS only once the certificate is issued: browsers warn otherwise. */
export function domainUrl(
  { host, path, https }: { host: string; path: string; https: boolean },
  issued: boolean,
  server: Pick<ServerRow, 'http_port' | 'https_port'>,
): string {
  const secure = https && issued
  const [port, usual] = secure ? [server.https_port, 443] : [server.http_port, 80]
  return `${secure ? 'https' : 'http'}://${host}${port === usual ? '' : `:${port}`}${path}`
}

export const isIssued = (certificate: { status: string; expires_at: Date | string | null }) =>
  certificate.status === 'issued' &&
  (certificate.expires_at === null || new Date(certificate.expires_at) > new Date())
