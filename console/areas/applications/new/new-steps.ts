import { readCommandLine } from '../../../../contract/shared/command-line.ts'
import { linesOf, readPairs } from '../../../../contract/shared/entries.ts'
import { Failure } from '../../../lib/http/failure.ts'
import { toldAtText } from '../entries/entry-errors.ts'
import { faultsOf, isKeyless } from './new-body.ts'
import type { Draft } from './new-draft.ts'
import { isComposeDraft } from './new-source-kind.ts'

export const steps = [
  { step: 'source', label: 'Source', heading: 'What it is made of' },
  { step: 'server', label: 'Server', heading: 'Where it runs' },
  { step: 'configuration', label: 'Configuration', heading: 'How it runs' },
  { step: 'review', label: 'Review', heading: 'Before it is created' },
] as const

export type Step = (typeof steps)[number]['step']
export type Errors = Readonly<Record<string, string>>

/** The step that asks for a field. A compose file is typed together with the environment that it takes values from. */
export function stepOf(field: string, draft: Pick<Draft, 'source.type'>): Step {
  if (field.startsWith('source') || (field === 'env' && isComposeDraft(draft))) return 'source'
  return field === 'server_id' ? 'server' : 'configuration'
}

/** Those of fields that nobody has changed since they were told. */
export function stillSo(errors: Errors, then: Draft, now: Draft): Errors {
  const [before, after] = [then, now].map((draft) => new Map<string, unknown>(Object.entries(draft)))
  return Object.fromEntries(
    Object.entries(errors).filter(([field]) => before?.get(field) === after?.get(field)),
  )
}

/** The faults among these that a step asks for. */
export const ofStep = (errors: Errors, step: Step, draft: Draft): Errors =>
  Object.fromEntries(Object.entries(errors).filter(([field]) => stepOf(field, draft) === step))

/** How far one may go: up to the first step with a fault, which is the asked one where all before it are right. */
export function reachable(draft: Draft, asked: string): Step {
  const faults = new Set(Object.keys(faultsOf(draft)).map((field) => stepOf(field, draft)))
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
    labels: draft.labels.filter((label) => !isKeyless(label)),
    volumes: linesOf(draft.volumes),
    ports: linesOf(draft.ports),
    // Each address of a compose file has a row of its own.
    ...(isComposeDraft(draft) ? {} : { domains: linesOf(draft.domains) }),
    command: readCommandLine(draft.command).words,
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
