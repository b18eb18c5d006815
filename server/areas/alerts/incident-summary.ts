import type { AlertKindName } from '../../../contract/shared/alert-kinds.ts'
import { formatSeconds } from '../../../contract/shared/seconds.ts'
import { truncate, toSingleLine } from '../../platform/text/plain-text.ts'
import { formatCount } from '../../../contract/shared/format-list.ts'
import type { AlertRow, Reading, Subject } from './observer.ts'

export interface SummaryInput {
  alert: Pick<AlertRow, 'kind' | 'comparison' | 'threshold' | 'window_seconds'>
  subject: Pick<Subject, 'kind' | 'name' | 'server_name'>
  reading: Reading
}

export const incidentSummary = (input: SummaryInput): string => renderSummary(input, 'start')

export const resolutionSummary = (input: SummaryInput): string => renderSummary(input, 'resolved')

/** Formats times as `2026-11-16 09:58 UTC`, because members are in different time zones. */
export const formatUtc = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** Every channel shows a sentence of this length without truncating it. */
const maxLength = 400
const maxNameLength = 120

interface Sentences {
  start(input: SummaryInput, name: string): string
  resolved(input: SummaryInput, name: string): string
}

function renderSummary(input: SummaryInput, which: keyof Sentences): string {
  const sentence = sentences[input.alert.kind][which](input, subjectName(input))
  return truncate(toSingleLine(sentence), maxLength)
}

function subjectName({ subject }: SummaryInput): string {
  const shorten = (name: string) => truncate(toSingleLine(name), maxNameLength)
  return subject.kind === 'container' && subject.server_name !== null
    ? `${shorten(subject.name)} on ${shorten(subject.server_name)}`
    : shorten(subject.name)
}

const sentences: Record<AlertKindName, Sentences> = {
  server_unreachable: {
    start: (_, name) => `${name} is unreachable.`,
    resolved: (_, name) => `${name} is reachable again.`,
  },
  cpu: measured((name) => `CPU usage of ${name}`, ' %'),
  memory: measured((name) => `Memory usage of ${name}`, ' %'),
  disk: measured((name) => `Disk usage of ${name}`, ' %'),
  load: measured((name) => `Load per core of ${name}`, '', 1),
  container_cpu: measured((name) => `CPU usage of ${name}`, ' %'),
  container_memory: measured((name) => `Memory usage of ${name}`, ' %'),
  container_stopped: {
    start: (input, name) => `${name} exited${withCode(input)}.`,
    resolved: (_, name) => `${name} is running again.`,
  },
  container_unhealthy: {
    start: (_, name) => `The health check of ${name} is failing.`,
    resolved: (_, name) => `The health check of ${name} is no longer failing.`,
  },
  container_restarting: {
    start: (input, name) =>
      `${name} restarted ${formatTimes(input)}${hasCode(input) ? ` (exit code ${input.reading.exit_code})` : ''}.`,
    resolved: (_, name) => `${name} is no longer restarting.`,
  },
  container_oom: {
    start: (input, name) => `${name} ran out of memory ${formatTimes(input)}.`,
    resolved: (input, name) => `${name} has not run out of memory for ${formatWindow(input)}.`,
  },
  deployment_failed: {
    start: ({ reading }, name) => `The deployment of ${name} failed${because(reading.detail)}.`,
    resolved: (_, name) => `A later deployment of ${name} succeeded.`,
  },
  http_check: {
    start: ({ reading }, name) =>
      `${reading.url ?? name} ${withoutEnd(reading.detail ?? 'failed the check')}.`,
    resolved: ({ reading }, name) => `${reading.url ?? name} passes the check again.`,
  },
  certificate_expiry: {
    start: (input, name) => `The certificate of ${name} ${formatExpiry(readingNumber(input))}.`,
    resolved: (input, name) =>
      `The certificate of ${name} is valid for ${readingNumber(input) === 0 ? 'less than a day' : formatCount(readingNumber(input), 'day')}.`,
  },
}

function measured(metric: (name: string) => string, unit: string, decimals = 0): Sentences {
  return {
    start: (input, name) => {
      const { threshold, comparison } = input.alert
      const side = comparison === 'below' ? 'below' : 'above'
      const limit = threshold === null ? '' : ` (${side} ${threshold}${unit})`
      return `${metric(name)} is ${rounded(input, decimals)}${unit}${limit}.`
    },
    resolved: (input, name) => `${metric(name)} is back to ${rounded(input, decimals)}${unit}.`,
  }
}

/** Rounds without crossing the threshold: 85.3 with a threshold of 85 must not read as 85. */
function rounded(input: SummaryInput, decimals: number): number {
  const value = readingNumber(input)
  const { threshold } = input.alert
  const candidates = [decimals, decimals + 1, decimals + 2].map((digits) => Number(value.toFixed(digits)))
  const side = (number: number) => Math.sign(number - (threshold ?? 0))
  return candidates.find((candidate) => side(candidate) === side(value)) ?? value
}

const readingNumber = ({ reading }: SummaryInput) => Number(reading.value)

const hasCode = ({ reading }: SummaryInput) => typeof reading.exit_code === 'number'
const withCode = (input: SummaryInput) => (hasCode(input) ? ` with code ${input.reading.exit_code}` : '')

const formatTimes = (input: SummaryInput) =>
  `${formatCount(readingNumber(input), 'time')} in ${formatWindow(input)}`

const formatWindow = ({ alert }: SummaryInput) => formatSeconds(alert.window_seconds ?? 600)

function formatExpiry(days: number): string {
  if (days < 0) return days === -1 ? 'has expired' : `expired ${formatCount(-days - 1, 'day')} ago`
  return days === 0 ? 'expires within a day' : `expires in ${formatCount(days, 'day')}`
}

const because = (detail: string | null | undefined) => (detail ? `: ${withoutEnd(detail)}` : '')
const withoutEnd = (text: string) => text.trimEnd().replace(/\.$/, '')
