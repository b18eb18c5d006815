import { z } from 'zod'
import { service } from './read/service-schema.ts'

/** Docker Compose prints some booleans as strings. */
const flag = z.union([z.boolean(), z.stringbool()])

const texts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String))

const network = z.looseObject({
  name: z.string().optional(),
  driver: z.string().optional(),
  driver_opts: texts.optional(),
  external: flag.optional(),
  internal: flag.optional(),
  attachable: flag.optional(),
  enable_ipv4: flag.optional(),
  enable_ipv6: flag.optional(),
  ipam: z.looseObject({}).optional(),
  labels: texts.optional(),
})

const volume = z.looseObject({
  name: z.string().optional(),
  driver: z.string().optional(),
  driver_opts: texts.optional(),
  external: flag.optional(),
  labels: texts.optional(),
})

const file = z.looseObject({
  name: z.string().optional(),
  file: z.string().optional(),
  environment: z.string().optional(),
  content: z.string().optional(),
  external: flag.optional(),
})

const named = <Value extends z.ZodType>(value: Value) => z.record(z.string(), value).default({})

export const modelSchema = z.looseObject({
  name: z.string().default(''),
  services: z.record(z.string(), service),
  networks: named(network.nullable().transform((definition) => definition ?? {})),
  volumes: named(volume.nullable().transform((definition) => definition ?? {})),
  secrets: named(file),
  configs: named(file),
})

export type {
  Dependency,
  Service,
  ServiceNetwork,
  ServicePort,
  ServiceVolume,
} from './read/service-schema.ts'
export type ModelNetwork = z.output<typeof network>
export type ModelVolume = z.output<typeof volume>
export type ModelFile = z.output<typeof file>

/** A compose file as Docker Compose resolved it on the server. It contains secrets. */
export interface Model {
  services: Record<string, z.output<typeof service>>
  networks: Record<string, ModelNetwork>
  volumes: Record<string, ModelVolume>
  secrets: Record<string, ModelFile>
  configs: Record<string, ModelFile>
}

export class UnsupportedCompose extends Error {
  readonly sentences: readonly string[]

  constructor(sentences: readonly string[]) {
    super(sentences.join(' '))
    this.sentences = sentences
  }
}
