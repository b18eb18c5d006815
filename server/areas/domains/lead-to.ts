import type { Context } from '../../context.ts'
import { Invalid } from '../../errors.ts'
import type { Trx } from '../../tables.ts'
import type { ApplicationRow } from '../applications/application.ts'
import { listInstances } from '../applications/instance.ts'
import { readServices } from '../applications/services-in-file.ts'

interface Leading {
  service: string
  port: number | null
}

/** Where in the application an address leads: of a compose file to one of its services. Throws where that is not clear. */
export async function leadTo(
  ctx: Context,
  trx: Trx,
  application: ApplicationRow,
  { service, port }: Leading,
): Promise<Leading> {
  const services = await readServices(ctx, trx, application)
  if (!services) {
    if (service !== '') throw new Invalid({ service: ['Only a compose file has services. Leave it empty.'] })
    return { service, port }
  }
  const found = services.find(({ name }) => name === service)
  if (!found) {
    const names = services.map(({ name }) => name).join(', ')
    throw new Invalid({ service: [`Choose one of the services: ${names}.`] })
  }
  if (port !== null) return { service, port }
  const [only, ...others] = found.ports
  if (others.length > 0)
    throw new Invalid({
      port: [`The service ${service} names several ports: ${found.ports.join(', ')}. Choose one.`],
    })
  // It leads there at once, be it that the file names another port later.
  if (only !== undefined) return { service, port: only }
  if (await isUnknown(trx, application, service))
    throw new Invalid({ port: [`Name the port on which ${service} listens: the compose file does not.`] })
  return { service, port }
}

/** Whether it runs, and nobody knows where it listens. A deployment looks at what its image says. */
async function isUnknown(trx: Trx, { workspace_id, id }: ApplicationRow, service: string): Promise<boolean> {
  const instances = await listInstances(trx, workspace_id, id)
  return instances.some((one) => one.service === service && one.state === 'serving' && one.port === null)
}
