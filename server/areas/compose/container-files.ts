import type { Model, ModelFile, Service } from './model.ts'

type FileReference = NonNullable<Service['secrets']>[number]

export interface ContainerFile {
  path: string
  content: string
  uid: number
  gid: number
  mode: number
}

export const containerFiles = (service: Service, model: Model): ContainerFile[] =>
  allOf(service, model).flatMap(({ path, file, given: { uid = 0, gid = 0, mode = 0o444 } }) =>
    file.content === undefined ? [] : [{ path, content: file.content, uid, gid, mode }],
  )

export const mountedFiles = (service: Service, model: Model): { source: string; target: string }[] =>
  allOf(service, model).flatMap(({ path, file }) =>
    file.content === undefined && file.file !== undefined ? [{ source: file.file, target: path }] : [],
  )

const allOf = ({ secrets = [], configs = [] }: Service, model: Model) => [
  ...secrets.flatMap((reference) => resolveFile(reference, '/run/secrets/', model.secrets)),
  ...configs.flatMap((reference) => resolveFile(reference, '/', model.configs)),
]

function resolveFile(given: FileReference, folder: string, all: Record<string, ModelFile>) {
  const { source, target = source } = given
  const file = Object.hasOwn(all, source) ? all[source] : undefined
  return file ? [{ given, file, path: target.startsWith('/') ? target : folder + target }] : []
}
