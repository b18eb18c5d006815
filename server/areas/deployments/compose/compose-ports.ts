import type { Model } from '../../compose/model.ts'
import { type PublishedPorts, publishedPorts } from '../../compose/ports.ts'
import type { ServerRow } from '../../servers/server.ts'
import { webPortsOf } from '../../servers/web-ports.ts'

export function composePorts(model: Model, server: ServerRow): PublishedPorts {
  const { http_port, https_port } = webPortsOf(server)
  return publishedPorts(model, [http_port, https_port])
}
