import { readVariables } from '../../../../contract/shared/dotenv.ts'
import { readMappings, splitNonBlankLines } from '../../../../contract/shared/entries.ts'
import { formatCount } from '../../../../contract/shared/format-list.ts'
import { healthSummary } from '../settings/health-fields.tsx'
import { triggerLabel } from '../source-label.ts'
import { emptyDraft, isComposeDraft, type NewApplicationDraft } from './new-draft.ts'

type Draft = NewApplicationDraft

export const countDraftVariables = ({ env }: Pick<Draft, 'env'>) =>
  new Set(readVariables(env).map(({ key }) => key)).size

const orNone = (count: number, noun: string) => (count === 0 ? 'None' : formatCount(count, noun))

/** Returns one line per collapsed section with its settings or its default. */
export const summarizeSections = (draft: Draft) => ({
  env: orNone(countDraftVariables(draft), 'variable'),
  domains: domainSummary(draft),
  ports: [
    draft.port.trim() === '' ? 'Exposed by the image' : draft.port,
    ...counted(readMappings(draft.ports).length, 'published port'),
  ].join(', '),
  volumes: orNone(readMappings(draft.volumes).length, 'volume'),
  health: `${healthSummary(draft)}, up to ${draft['health.within_seconds']} s`,
  resources: [
    Number(draft.replicas) > 1 ? formatCount(Number(draft.replicas), 'container') : '1 container',
    draft.memory_limit.trim() === '' ? 'no memory limit' : `${draft.memory_limit} MiB`,
    draft.cpu_limit.trim() === '' ? 'no CPU limit' : `${draft.cpu_limit} CPU`,
  ].join(', '),
  build: [builders.get(draft['source.builder']) ?? 'Automatic', triggerLabel(toTrigger(draft))].join(', '),
  advanced: changedNames(draft),
})

function domainSummary(draft: Draft): string {
  const own = isComposeDraft(draft) ? draft.routes.length : splitNonBlankLines(draft.domains).length
  const parts = [...counted(own, 'domain'), ...(draft.generated_address ? ['generated URL'] : [])].join(', ')
  return parts === '' ? 'None' : parts.replace(/^g/, 'G')
}

const counted = (count: number, noun: string) => (count === 0 ? [] : [formatCount(count, noun)])

const builders = new Map([
  ['dockerfile', 'Dockerfile'],
  ['generated', 'Generated Dockerfile'],
  ['railpack', 'Railpack'],
])

const toTrigger = (draft: Draft) => ({ deploy_on: draft['source.deploy_on'], tags: draft['source.tags'] })

const advanced = [
  ['labels', 'labels'],
  ['command', 'command'],
  ['restart', 'restart policy'],
  ['drain_seconds', 'drain timeout'],
  ['stop_grace_seconds', 'stop grace period'],
  ['stop_first', 'stop old containers first'],
  ['auto_rollback', 'automatic rollback'],
] as const

function changedNames(draft: Draft): string {
  const changed = advanced.filter(([field]) => String(draft[field]) !== String(emptyDraft[field]))
  const names = changed.map(([, name]) => name).join(', ')
  return names === '' ? 'Defaults' : names.replace(/^./, (letter) => letter.toUpperCase())
}
