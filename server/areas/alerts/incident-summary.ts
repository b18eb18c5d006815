import type { AlertKindName } from '../../../contract/shared/alert-kinds.ts'
import { formatSeconds } from '../../../contract/shared/seconds.ts'
import { truncate, toSingleLine } from '../../platform/text/plain-text.ts'
import type { AlertRow, Reading, Subject } from './observation.ts'
import { formatCount } from '../../../contract/shared/format-list.ts'

export interface SummaryInput {
  alert: Pick<AlertRow, 'kind' | 'comparison' | 'threshold' | 'window_seconds'>
  subject: Pick<Subject, 'kind' | 'name' | 'server_name'>
  reading: Reading
}

/** Returns one sentence of plain text. */
export const incidentSummary = (about: SummaryInput): string => say(about, 'start')

/** Describes the recovery; the reading is the one that cleared the condition. */
export const resolutionSummary = (about: SummaryInput): string => say(about, 'over')

/** Limits the length so that every channel shows the whole sentence. */
const maxLength = 400
const maxNameLength = 120

const shown = (text: string, most: number) => truncate(toSingleLine(text), most)

interface Sentences {
  start(about: SummaryInput, name: string): string
  over(about: SummaryInput, name: string): string
}

function say(about: SummaryInput, which: keyof Sentences): string {
  const { kind } = about.alert
  return shown(sentences[kind][which](about, nameOf(about)), maxLength)
}

/** Adds the server's name for a container. */
function nameOf({ subject }: SummaryInput): string {
  const name = shown(subject.name, maxNameLength)
  return subject.kind === 'container' && subject.server_name !== null
    ? `${name} on ${shown(subject.server_name, maxNameLength)}`
    : name
}

const sentences: Record<AlertKindName, Sentences> = {
  server_unreachable: {
    start: (_, name) => `${name} is unreachable.`,
    over: (_, name) => `${name} is reachable again.`,
  },
  cpu: measured((name) => `CPU usage of ${name}`, ' %'),
  memory: measured((name) => `Memory usage of ${name}`, ' %'),
  disk: measured((name) => `Disk usage of ${name}`, ' %'),
  load: measured((name) => `Load per core of ${name}`, '', 1),
  container_cpu: measured((name) => `CPU usage of ${name}`, ' %'),
  container_memory: measured((name) => `Memory usage of ${name}`, ' %'),
  container_stopped: {
    start: (about, name) => `${name} exited${withCode(about)}.`,
    over: (_, name) => `${name} is running again.`,
  },
  container_unhealthy: {
    start: (_, name) => `The health check of ${name} is failing.`,
    over: (_, name) => `The health check of ${name} is no longer failing.`,
  },
  container_restarting: {
    start: (about, name) =>
      `${name} restarted ${timesOf(about)}${hasCode(about) ? ` (exit code ${about.reading.exit_code})` : ''}.`,
    over: (_, name) => `${name} is no longer restarting.`,
  },
  container_oom: {
    start: (about, name) => `${name} ran out of memory ${timesOf(about)}.`,
    over: (about, name) => `${name} has not run out of memory for ${spanOf(about)}.`,
  },
  deployment_failed: {
    start: ({ reading }, name) => `The deployment of ${name} failed${because(reading.detail)}.`,
    over: (_, name) => `A later deployment of ${name} succeeded.`,
  },
  http_check: {
    start: ({ reading }, name) =>
      `${reading.url ?? name} ${withoutEnd(reading.detail ?? 'failed the check')}.`,
    over: ({ reading }, name) => `${reading.url ?? name} passes the check again.`,
  },
  certificate_expiry: {
    start: (about, name) => `The certificate of ${name} ${endOf(numberOf(about))}.`,
    over: (about, name) => `The certificate of ${name} is valid for ${formatCount(numberOf(about), 'day')}.`,
  },
}

function measured(metric: (name: string) => string, unit: string, decimals = 0): Sentences {
  return {
    start: (about, name) => {
      const { threshold, comparison } = about.alert
      const side = comparison === 'below' ? 'below' : 'above'
      const limit = threshold === null ? '' : ` (${side} ${threshold}${unit})`
      return `${metric(name)} is ${rounded(about, decimals)}${unit}${limit}.`
    },
    over: (about, name) => `${metric(name)} is back to ${rounded(about, decimals)}${unit}.`,
  }
}

/** Rounds without crossing the threshold: 85.3 with a threshold of 85 must not read as 85. */
function rounded(about: SummaryInput, decimals: number): number {
  const value = numberOf(about)
  const { threshold } = about.alert
  const all = [decimals, decimals + 1, decimals + 2].map((digits) => Number(value.toFixed(digits)))
  const sideOf = (one: number) => Math.sign(one - (threshold ?? 0))
  return all.find((one) => sideOf(one) === sideOf(value)) ?? value
}

const numberOf = ({ reading }: SummaryInput) => Number(reading.value)

const hasCode = ({ reading }: SummaryInput) => typeof reading.exit_code === 'number'
const withCode = (about: SummaryInput) => (hasCode(about) ? ` with code ${about.reading.exit_code}` : '')

const timesOf = (about: SummaryInput) => `${formatCount(numberOf(about), 'time')} in ${spanOf(about)}`

const spanOf = ({ alert }: SummaryInput) => formatSeconds(alert.window_seconds ?? 600)

function endOf(days: number): string {
  if (days < 0) return days === -1 ? 'has expired' : `expired ${formatCount(-days - 1, 'day')} ago`
  return days === 0 ? 'expires within a day' : `expires in ${formatCount(days, 'day')}`
}

const because = (detail: string | null | undefined) => (detail ? `: ${withoutEnd(detail)}` : '')
const withoutEnd = (text: string) => text.trimEnd().replace(/\.$/, '')
