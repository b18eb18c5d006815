import { readMappings, readPairs } from '../../../contract/entries.ts'
import { Failure } from '../../lib/failure.ts'
import { readCommand } from './command-text.ts'
import { toldAtText } from './entry-errors.ts'
import { faultsOf } from './new-body.ts'
import type { Draft } from './new-draft.ts'
import { readDomains } from './read-domains.ts'

export const steps = [
  { step: 'source', label: 'Source' },
  { step: 'server', label: 'Server' },
  { step: 'configuration', label: 'Configuration' },
  { step: 'review', label: 'Review' },
] as const

export type Step = (typeof steps)[number]['step']
export type Errors = Readonly<Record<string, string>>

/** The step that asks for a field. */
export function stepOf(field: string): Step {
  if (field.startsWith('source')) return 'source'
  return field === 'server_id' ? 'server' : 'configuration'
}

/** The faults among these that a step asks for. */
export const ofStep = (errors: Errors, step: Step): Errors =>
  Object.fromEntries(Object.entries(errors).filter(([field]) => stepOf(field) === step))

/** How far one may go: up to the first step with a fault, which is the asked one where all before it are right. */
export function reachable(draft: Draft, asked: string): Step {
  const faults = new Set(Object.keys(faultsOf(draft)).map(stepOf))
  const wanted = Math.max(
    steps.findIndex(({ step }) => step === asked),
    0,
  )
  const barred = steps.findIndex(({ step }) => faults.has(step))
  // What a reload has taken has to be seen to be missing before it is left out.
  const most = barred >= 0 ? barred : draft.lost ? 2 : 3
  return steps[Math.min(wanted, most)]?.step ?? 'source'
}

/** What the server says against it, by the fields of the form. One of many entries is named in its sentence. */
export function placeErrors(fields: Errors, draft: Draft): Errors {
  const entries: Record<string, readonly string[]> = {
    env: readPairs(draft.env).map(({ key }) => key),
    labels: draft.labels,
    volumes: readMappings(draft.volumes).map(({ source, target }) => `${source}:${target}`),
    ports: readMappings(draft.ports).map(({ source, target }) => `${source}:${target}`),
    domains: readDomains(draft.domains).map(({ host }) => host),
    command: readCommand(draft.command) ?? [],
  }
  const failure = new Failure({ messages: [], fields })
  const placed = Object.entries(fields).map(([field, sentence]) => {
    const [of = ''] = field.split('.', 1)
    const told = of in entries ? toldAtText(failure, of, entries[of] ?? []) : undefined
    return told instanceof Failure ? [of, told.fields[of] ?? sentence] : [field, sentence]
  })
  return Object.fromEntries(placed)
}

/** What a review has found, a sentence for each field. */
export const firstOfEach = (problems: Readonly<Record<string, readonly string[]>>): Errors =>
  Object.fromEntries(
    Object.entries(problems).flatMap(([field, [first]]) => (first === undefined ? [] : [[field, first]])),
  )
