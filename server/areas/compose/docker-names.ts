import { applicationProjectName } from '../containers/application-folder.ts'
import type { Model, Service } from './model.ts'

interface Application {
  id: string
  slug: string
}

/** What Docker calls a volume of an application on its server. */
export const volumeNameOf = (application: Application, source: string) =>
  `${applicationProjectName(application)}-${source}`

/** What Docker calls a network of the file; one that the file names, or that others made, has its own name. */
export const composeNetworkName = (application: Application, model: Model, key: string): string =>
  givenName(model.networks, key) ?? `${applicationProjectName(application)}_${key}`

/** The same for a volume. */
export const composeVolumeName = (application: Application, model: Model, key: string): string =>
  givenName(model.volumes, key) ?? volumeNameOf(application, key)

function givenName(all: Model['networks'] | Model['volumes'], key: string) {
  const of = Object.hasOwn(all, key) ? all[key] : undefined
  return of?.name ?? (of?.external ? key : undefined)
}

/** The host name by which other applications of its project reach a service. */
export const projectAlias = ({ slug }: Pick<Application, 'slug'>, service: string) =>
  `${slug}-${plain(service)}`

/** What Docker calls a container of a service: `shop-web-3-1-k2f9`, unless the file names it. */
export const serviceContainerName = (
  { slug }: Pick<Application, 'slug'>,
  release: { number: number },
  { id, replica }: { id: string; replica: number },
  name: string,
  { container_name }: Pick<Service, 'container_name'>,
): string => container_name ?? `${slug}-${plain(name)}-${release.number}-${replica}-${id.slice(-4)}`

/** As it may stand in the name of a host. */
const plain = (service: string) =>
  service
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'service'
