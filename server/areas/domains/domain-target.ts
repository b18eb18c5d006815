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

/** Resolves service and port of a domain. Throws if they are ambiguous. */
export async function resolveDomainTarget(
  ctx: Context,
  trx: Trx,
  application: ApplicationRow,
  { service, port }: Leading,
): Promise<Leading> {
  const services = await readServices(ctx, trx, application)
  if (!services) {
    if (service !== '')
      throw new Invalid({ service: ['Only compose applications have services. Leave this field empty.'] })
    return { service, port }
  }
  const found = services.find(({ name }) => name === service)
  if (!found) {
    const names = services.map(({ name }) => name).join(', ')
    throw new Invalid({ service: [`Choose a service: ${names}.`] })
  }
  if (port !== null) return { service, port }
  const [only, ...others] = found.ports
  if (others.length > 0)
    throw new Invalid({
      port: [`Service ${service} exposes several ports: ${found.ports.join(', ')}. Choose one.`],
    })
  // Fixes the port, so that later changes of the file do not move the domain.
  if (only !== undefined) return { service, port: only }
  if (await isUnknown(trx, application, service))
    throw new Invalid({ port: [`Specify the port of ${service}: the compose file does not define one.`] })
  return { service, port }
}

/** Running services without a known port; a deployment inspects the image. */
async function isUnknown(trx: Trx, { workspace_id, id }: ApplicationRow, service: string): Promise<boolean> {
  const instances = await listInstances(trx, workspace_id, id)
  return instances.some((one) => one.service === service && one.state === 'serving' && one.port === null)
}
