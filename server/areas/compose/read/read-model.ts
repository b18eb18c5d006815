import type { z } from 'zod'
import { findUnsupported } from './find-unsupported.ts'
import { findIgnoredKeys } from './service-keys.ts'
import { fitToEngine } from '../engine-features.ts'
import {
  type Model,
  type ModelFile,
  type ModelNetwork,
  modelSchema,
  type Service,
  UnsupportedCompose,
} from '../model.ts'

/** Docker Compose prints only the variable name of secrets and configs, so `env` provides the values. */
export function readModel(
  json: unknown,
  env: Readonly<Record<string, string>>,
  apiVersion: string,
): { model: Model; warnings: string[] } {
  const read = modelSchema.safeParse(singleDollars(json))
  if (!read.success) throw new UnsupportedCompose(read.error.issues.map(describeIssue))
  const { name: project, volumes, secrets, configs } = read.data
  const { services, networks } = withNamedModes(read.data)
  const whole: Model = {
    services,
    networks: withoutDefaults(networks, project),
    volumes: withoutDefaults(volumes, project),
    secrets: withContents(secrets, env),
    configs: withContents(configs, env),
  }
  const { model, warnings: unused, refused } = fitToEngine(whole, apiVersion)
  const unfit = [...findUnsupported(model), ...refused]
  if (unfit.length > 0) throw new UnsupportedCompose(unfit)
  const { model: own, warnings } = removeReservedLabels(model)
  return { model: own, warnings: [...findIgnoredKeys(own), ...unused, ...warnings] }
}

/** Docker Compose doubles every dollar sign in its output so that it can be parsed again. */
function singleDollars(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('$$', '$')
  if (Array.isArray(value)) return value.map(singleDollars)
  if (value instanceof Object) {
    // Prevents prototype pollution.
    if (Object.hasOwn(value, '__proto__'))
      throw new UnsupportedCompose(['The name __proto__ is reserved. Choose another name.'])
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [key.replaceAll('$$', '$'), singleDollars(entry)]),
    )
  }
  return value
}

/** Never quotes a value, because it may be a secret. */
const describeIssue = ({ path, message }: z.core.$ZodIssue) =>
  `The output of docker compose config is invalid at ${path.join('.') || 'the top level'}: ${message}.`

const ownMode = /^(?:bridge|host|none|(?:service|container):.+)$/

/** Any other network_mode is the name of an existing network of the server. */
function withNamedModes({ services, networks }: Pick<Model, 'services' | 'networks'>) {
  const named = new Map<string, ModelNetwork>()
  const nameMode = (service: Service): Service => {
    const { network_mode: mode, ...others } = service
    if (mode === undefined || ownMode.test(mode)) return service
    if (mode === 'default') return { ...others, network_mode: 'bridge' }
    named.set(mode, { name: mode, external: true })
    return { ...others, networks: { [mode]: null } }
  }
  const moded = Object.fromEntries(Object.entries(services).map(([key, service]) => [key, nameMode(service)]))
  return { services: moded, networks: { ...Object.fromEntries(named), ...networks } }
}

/** Docker Compose generates missing names; Slipway uses its own. */
const withoutDefaults = <Named extends { name?: string | undefined }>(
  all: Record<string, Named>,
  project: string,
) =>
  Object.fromEntries(
    Object.entries(all).map(([key, resource]): [string, Named] => [
      key,
      resource.name === `${project}_${key}` ? { ...resource, name: undefined } : resource,
    ]),
  )

const withContents = (files: Record<string, ModelFile>, env: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(files).map(([key, file]): [string, ModelFile] => {
      const { environment = '', file: path, external } = file
      // Docker Compose does not print empty contents, and refuses a file without any.
      const isPrintedEmpty = environment === '' && path === undefined && !external
      const own = file.content ?? (isPrintedEmpty ? '' : undefined)
      const content = Object.hasOwn(env, environment) ? env[environment] : own
      return [key, { ...file, ...(content !== undefined && { content }) }]
    }),
  )

/** Slipway identifies its own objects by these labels, so a file must not set them. */
const prefix = 'slipway.'

/** The only reserved label that a file may set. */
export const rollLabel = `${prefix}roll`

interface Labelled {
  labels?: Record<string, string> | undefined
}

function removeReservedLabels(model: Model): { model: Model; warnings: string[] } {
  const { services, networks, volumes } = model
  return {
    model: {
      ...model,
      services: withoutReserved(services),
      networks: withoutReserved(networks),
      volumes: withoutReserved(volumes),
    },
    warnings: [
      ...sentences('service', services),
      ...sentences('network', networks),
      ...sentences('volume', volumes),
    ],
  }
}

const isReserved = (label: string) => label.startsWith(prefix) && label !== rollLabel

const withoutReserved = <One extends Labelled>(all: Record<string, One>) =>
  Object.fromEntries(
    Object.entries(all).map(([key, resource]): [string, One] => [
      key,
      resource.labels ? { ...resource, labels: withoutOwn(resource.labels) } : resource,
    ]),
  )

const withoutOwn = (labels: Record<string, string>) =>
  Object.fromEntries(Object.entries(labels).filter(([label]) => !isReserved(label)))

const sentences = (kind: string, all: Record<string, Labelled>) =>
  Object.entries(all).flatMap(([key, { labels = {} }]) =>
    Object.keys(labels)
      .filter(isReserved)
      .map(
        (label) =>
          `The label ${label} of the ${kind} ${key} has no effect: the prefix ${prefix} is reserved.`,
      ),
  )
