/** An address that leads to a service, as it is typed. */
export interface ServiceRoute {
  service: string
  port: string
  address: string
}

/** As a line: a draft keeps nothing but texts. */
export const writeRoute = ({ service, port, address }: ServiceRoute) => `${service}:${port} ${address}`

export function readRoute(line: string): ServiceRoute {
  const [, service = '', port = '', address = ''] = /^([^: ]*):(\d*) (.*)$/s.exec(line) ?? []
  return { service, port, address }
}
