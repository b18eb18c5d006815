import { applicationProjectName } from '../containers/application-folder.ts'
import type { Model, Service } from './model.ts'

interface Application {
  id: string
  slug: string
}

export const applicationVolumeName = (application: Application, source: string) =>
  `${applicationProjectName(application)}-${source}`

/** External networks and networks with an explicit name keep that name; others get the project prefix. */
export const composeNetworkName = (application: Application, model: Model, key: string): string =>
  givenName(model.networks, key) ?? `${applicationProjectName(application)}_${key}`

export const composeVolumeName = (application: Application, model: Model, key: string): string =>
  givenName(model.volumes, key) ?? applicationVolumeName(application, key)

function givenName(all: Model['networks'] | Model['volumes'], key: string) {
  const definition = Object.hasOwn(all, key) ? all[key] : undefined
  return definition?.name ?? (definition?.external ? key : undefined)
}

export const projectAlias = ({ slug }: Pick<Application, 'slug'>, service: string) =>
  `${slug}-${plain(service)}`

export const serviceContainerName = (
  { slug }: Pick<Application, 'slug'>,
  release: { number: number },
  { id, replica }: { id: string; replica: number },
  name: string,
  { container_name }: Pick<Service, 'container_name'>,
): string => container_name ?? `${slug}-${plain(name)}-${release.number}-${replica}-${id.slice(-4)}`

const plain = (service: string) =>
  service
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'service'
