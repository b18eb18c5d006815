export interface ServiceRoute {
  service: string
  port: string
  address: string
}

/** Writes a route as text, because drafts hold only strings. */
export const writeRoute = ({ service, port, address }: ServiceRoute) => `${service}:${port} ${address}`

export function readRoute(line: string): ServiceRoute {
  const [, service = '', port = '', address = ''] = /^([^: ]*):(\d*) (.*)$/s.exec(line) ?? []
  return { service, port, address }
}
