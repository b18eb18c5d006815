export interface SmtpServer {
  host: string
  port: number | undefined
  secure: boolean
  auth: { user: string; pass: string } | undefined
  requireTLS: boolean | undefined
  rejectUnauthorized: boolean | undefined
}

export const smtpUrlRule =
  'must be smtp://host or smtps://host, with a user and a port if needed, and no query parameters other than requireTLS and tls.rejectUnauthorized (true or false)'

const form =
  /^(smtps?):\/\/(?:([^:/?#\s]*)(?::([^/?#\s]*))?@)?(\[[\da-f:.]+\]|[a-z\d](?:[a-z\d._-]*[a-z\d.])?)(?::(\d{1,5}))?\/?(?:\?([^#\s]*))?$/i
const options = /^(requireTLS|tls\.rejectUnauthorized)=(true|false)$/

/** The mail library accepts any option from a URL, including a program to run, so only the parsed parts are passed on. */
export function readSmtpUrl(value: string): SmtpServer | undefined {
  const [, protocol, rawUser = '', rawPass = '', host = '', port, query = ''] = form.exec(value) ?? []
  const [user, pass] = [decode(rawUser), decode(rawPass)]
  const parameters = query === '' ? [] : query.split('&')
  if (protocol === undefined || user === undefined || pass === undefined) return undefined
  if (Number(port ?? 1) > 65_535 || !parameters.every((option) => options.test(option))) return undefined
  const readOption = (name: string) =>
    parameters.includes(`${name}=true`) ? true : parameters.includes(`${name}=false`) ? false : undefined
  return {
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port: port === undefined ? undefined : Number(port),
    secure: protocol.toLowerCase() === 'smtps',
    auth: user === '' && pass === '' ? undefined : { user, pass },
    requireTLS: readOption('requireTLS'),
    rejectUnauthorized: readOption('tls.rejectUnauthorized'),
  }
}

export const hideSmtpPassword = (url: string): string =>
  url.replace(/^(smtps?:\/\/[^:/?#\s]*):[^/?#\s]*@/i, '$1:…@')

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
