import type { z } from 'zod'
import { findUnsupported } from './find-unsupported.ts'
import { findIgnoredKeys } from './find-ignored.ts'
import { type Model, type ModelFile, modelSchema } from '../model.ts'
import { UnsupportedCompose } from './unsupported-compose.ts'
import { removeReservedLabels } from './reserved-labels.ts'

/**
 * What Docker Compose says that a file means. `env` is what the file was read with: a secret or config that is taken from
 * the environment has its value from there, since Docker Compose only tells the name.
 */
export function readModel(
  json: unknown,
  env: Readonly<Record<string, string>>,
): { model: Model; warnings: string[] } {
  const read = modelSchema.safeParse(singleDollars(json))
  if (!read.success) throw new UnsupportedCompose(read.error.issues.map(sentenceOf))
  const { name: project, services, networks, volumes, secrets, configs } = read.data
  const model: Model = {
    services,
    networks: withoutDefaults(networks, project),
    volumes: withoutDefaults(volumes, project),
    secrets: withContents(secrets, env),
    configs: withContents(configs, env),
  }
  const unfit = findUnsupported(model)
  if (unfit.length > 0) throw new UnsupportedCompose(unfit)
  const { model: own, warnings } = removeReservedLabels(model)
  return { model: own, warnings: [...findIgnoredKeys(own), ...warnings] }
}

/** Docker Compose doubles every dollar of what it prints, so that it could be read as a compose file again. */
function singleDollars(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('$$', '$')
  if (Array.isArray(value)) return value.map(singleDollars)
  if (value instanceof Object) {
    // No object of ours may have it.
    if (Object.hasOwn(value, '__proto__'))
      throw new UnsupportedCompose(['The name __proto__ is reserved. Choose another name.'])
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key.replaceAll('$$', '$'), singleDollars(one)]),
    )
  }
  return value
}

/** A value is never told: it may be a secret. */
const sentenceOf = ({ path, message }: z.core.$ZodIssue) =>
  `The output of docker compose config is invalid at ${path.join('.') || 'the top level'}: ${message}.`

/** Docker Compose names what the file does not; here such things have names of our own. */
const withoutDefaults = <Named extends { name?: string | undefined }>(
  all: Record<string, Named>,
  project: string,
) =>
  Object.fromEntries(
    Object.entries(all).map(([key, one]): [string, Named] => [
      key,
      one.name === `${project}_${key}` ? { ...one, name: undefined } : one,
    ]),
  )

const withContents = (files: Record<string, ModelFile>, env: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(files).map(([key, file]): [string, ModelFile] => {
      const { environment = '' } = file
      const content = Object.hasOwn(env, environment) ? env[environment] : file.content
      return [key, { ...file, ...(content !== undefined && { content }) }]
    }),
  )
