import type { z } from 'zod'
import type { checkCompose } from '../../../../contract/compose.ts'
import type { Pair } from '../../../../contract/shared/entries.ts'
import {
  type ComposeFile,
  extendedService,
  inheritedValue,
  listProfiles,
  sharedResourceNames,
  toComposeFile,
} from '../read/compose-file.ts'
import { NodeLocator } from './node-locator.ts'
import { conflictRules } from './conflict-rules.ts'
import { engineRules } from './engine-rules.ts'
import { errorAt, type Finding, type Mark, toComposeProblems } from './finding.ts'
import { toList, toText } from '../read/untyped.ts'
import { portRules } from './port-rules.ts'
import {
  externalFileRules,
  fileContentRules,
  fileVariables,
  needsAdminSentence,
  privilegeRules,
  sharedHostAccessRules,
} from './privilege-rules.ts'
import { isComposeSetting } from '../read/interpolate.ts'
import { readYaml, resolveAliases } from '../read/read-yaml.ts'
import {
  buildContextRules,
  dependencyCycleRules,
  inactiveServiceRules,
  referenceRules,
} from './reference-rules.ts'
import { envFileRules, fileRules, passedVariables, serviceCountRules, serviceRules } from './service-rules.ts'
import { firstPorts, readPort } from '../read/short-forms.ts'
import { schemaFindings } from './schema-findings.ts'
import { valueRules } from './value-rules.ts'
import { toValue, truncateValue } from '../read/to-value.ts'
import { isScalar } from 'yaml'
import { createHash } from 'node:crypto'
import { StaleCache } from '../../../platform/cache.ts'
import { onWorkerThread } from '../../../platform/worker-thread.ts'

export type ComposeCheck = z.input<(typeof checkCompose)['reply']> & {
  /** Host access that only an admin may deploy, worded for readers who do not see the file. */
  hostAccess: string[]
  shared: string[]
}

export interface ComposeCheckOptions {
  env: readonly Pair[]
  profiles: readonly string[]
  /** API version of the Docker that will run the file, if known. */
  apiVersion?: string | undefined
  describeUnknown?: ((name: string) => string) | undefined
}

const maxFindings = 100

/** Docker Compose sets these variables. Paths are relative to the application's folder, and a check needs no real name. */
const ownVariables = [
  ['PWD', '.'],
  ['COMPOSE_PROJECT_NAME', 'project'],
] as const

/** Validates a compose file. Must be fast for any input, because it runs while a user types and a hostile file would delay others. */
export function validateComposeFile(
  text: string,
  { env, profiles, apiVersion, describeUnknown: whyUnknown }: ComposeCheckOptions,
): ComposeCheck {
  const { document, lines, marks } = readYaml(text)
  const answer = (
    findings: readonly Mark[],
    file?: ComposeFile,
    { variables = [], hostAccess = [] }: Partial<Pick<ComposeCheck, 'variables' | 'hostAccess'>> = {},
  ): ComposeCheck => ({
    hostAccess: [...new Set(hostAccess)],
    shared: file ? sharedResourceNames(file.top) : [],
    problems: toComposeProblems(findings, text, lines),
    services: file ? Object.keys(file.services).map((name) => summarizeService(file, name)) : [],
    variables: [
      ...new Set([
        ...variables,
        ...(file ? passedVariables(file).map(({ name }) => name) : []),
        ...(file ? fileVariables(file).map(({ name }) => name) : []),
      ]),
    ],
  })
  if (!document || marks.length > 0) return answer(marks)
  const { targets, marks: endless } = resolveAliases(document)
  if (endless.length > 0) return answer(endless)
  const root = document.contents
  const known = env.filter(({ key }) => !isComposeSetting(key))
  const values = new Map(known.map(({ key, value }) => [key, value]))
  const filledIn = new Map([...values, ...ownVariables])
  const { value, marks: filling, variables, filled } = toValue(root, text, targets, filledIn)
  const places = new NodeLocator(root, targets)
  const file = toComposeFile(value, profiles)
  const isFilled = (path: Finding['path']) => filled.has(places.find(path).node)
  const needed = [...fileVariables(file), ...(whyUnknown ? passedVariables(file) : [])]
  const unset = needed.filter(({ name }) => !values.has(name))
  // Compose's own variables could make a file name resolve differently from here.
  const written = toComposeFile(toValue(root, text, targets, null).value, profiles)
  const findings = [
    ...envFileRules(file, written),
    ...listFindings(value, file, isFilled),
    ...engineRules(file, apiVersion),
    ...unset.map(({ name, path }) =>
      errorAt(
        path,
        whyUnknown?.(truncateValue(name)) ??
          `Variable ${truncateValue(name)} is not set. Add it to the environment variables.`,
      ),
    ),
  ]
  const taken = whyUnknown ? filling.map((mark) => asMistake(mark, whyUnknown)) : filling
  const shown = fewer(findings)
  return answer([...taken, ...shown.map((finding) => places.markOf(finding))], file, {
    variables,
    hostAccess: hostAccessInFile(shown, places),
  })
}

const asMistake = (mark: Mark, reason: (name: string) => string): Mark =>
  mark.unset === undefined ? mark : { ...mark, severity: 'error', message: reason(truncateValue(mark.unset)) }

function listFindings(
  value: unknown,
  file: ComposeFile,
  isFilled: (path: Finding['path']) => boolean,
): Finding[] {
  const many = serviceCountRules(file)
  const spec = schemaFindings(value, isFilled).filter(({ path }) => !isInherited(path, file))
  if (many.length > 0) return many
  const own = [
    fileRules,
    serviceRules,
    valueRules,
    conflictRules,
    referenceRules,
    buildContextRules,
    inactiveServiceRules,
    dependencyCycleRules,
    portRules,
    privilegeRules,
    sharedHostAccessRules,
    externalFileRules,
    fileContentRules,
  ]
  return [...spec, ...own.flatMap((rule) => rule(file))]
}

/** An empty key of a service leaves what the extended service has. */
const isInherited = ([section, name = '', key = '', ...inside]: Finding['path'], file: ComposeFile) => {
  const service = section === 'services' && inside.length === 0 ? file.services[name] : undefined
  const extended = service?.[key] === null ? extendedService(service) : undefined
  return extended !== undefined && (inheritedValue(file, extended, String(key)) ?? null) !== null
}

/** Locating findings is slower than collecting them, so limit them first. */
const fewer = (findings: readonly Finding[]): Finding[] => [
  ...findings.filter(({ severity }) => severity === 'error').slice(0, maxFindings),
  ...findings.filter(({ severity }) => severity === 'warning').slice(0, maxFindings),
]

const summarizeService = (file: ComposeFile, name: string): ComposeCheck['services'][number] => ({
  name,
  image: toText(inheritedValue(file, name, 'image') || undefined) ?? null,
  builds: inheritedValue(file, name, 'build') !== undefined,
  ports: listContainerPorts(file, name),
  published: listPublishedPorts(file, name),
  profiles: [...new Set(listProfiles(file.services, name))],
})

function listContainerPorts(file: ComposeFile, name: string): number[] {
  const written = [
    ...toList(inheritedValue(file, name, 'ports')),
    ...toList(inheritedValue(file, name, 'expose')),
  ]
  return [...new Set(written.flatMap((port) => firstPorts(readPort(port)?.target, maxFindings)))].slice(
    0,
    maxFindings,
  )
}

const listPublishedPorts = (file: ComposeFile, name: string) =>
  toList(inheritedValue(file, name, 'ports'))
    .slice(0, maxFindings)
    .flatMap((port) => {
      const { host = '', published, target, protocol = '' } = readPort(port) ?? {}
      return published && target ? [{ host, source: published[0], target: target[0], protocol }] : []
    })

/** Each sentence names the service, for readers who do not see the file. */
const hostAccessInFile = (findings: readonly Finding[], places: NodeLocator): string[] =>
  findings.flatMap(({ path, message }) => {
    if (!message.endsWith(needsAdminSentence)) return []
    const { node } = places.find(path)
    const [section, name, key = ''] = path.map(String)
    const who = section === 'services' ? name : `${section} ${name}`
    const what = isScalar(node) && typeof node.value === 'string' ? ` ${truncateValue(node.value)}` : ''
    const where = [who, `${key}${what}`].filter((part) => part !== undefined && part.trim() !== '')
    return [`${where.join(', ')}: ${message.slice(0, -needsAdminSentence.length).trim()}`]
  })

const run = onWorkerThread(
  new URL('./validate-compose-file.js', import.meta.url),
  'validateComposeFile',
  validateComposeFile,
)

/** A file that was checked before a transaction is not checked again while locks are held. */
const answers = new StaleCache<ComposeCheck>(30_000, 50)

/** Runs on a worker thread, because the largest file takes 100 ms. */
export async function checkComposeFileInWorker(
  turnOf: string,
  text: string,
  { env, profiles, apiVersion }: Pick<ComposeCheckOptions, 'env' | 'profiles' | 'apiVersion'>,
): Promise<ComposeCheck> {
  const hash = createHash('sha256')
    .update(JSON.stringify([text, env, profiles, apiVersion]))
    .digest('base64')
  const { value } = await answers.get(
    hash,
    () => run(turnOf, text, { env, profiles, apiVersion }),
    () => false,
  )
  return value
}
