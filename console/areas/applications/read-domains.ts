import { linesOf } from '../../../contract/entries.ts'
import { readRoute } from '../../lib/service-route.ts'

/** One address a line: `app.example.com`, `app.example.com/api`, or with `http://` before it for one without HTTPS. */
export const readDomains = (text: string) => linesOf(text).map(readDomain)

/** One that leads to a service, written as `web:80 app.example.com`. */
export function readServiceDomain(route: string) {
  const { service, port, address } = readRoute(route)
  return { ...readDomain(address), service, port: port === '' ? null : Number(port) }
}

function readDomain(typed: string) {
  const line = typed.trim()
  const rest = line.replace(/^https?:\/\//i, '')
  const slash = rest.indexOf('/')
  const host = slash < 0 ? rest : rest.slice(0, slash)
  return { host, path: slash < 0 ? '/' : rest.slice(slash), https: !/^http:\/\//i.test(line) }
}
