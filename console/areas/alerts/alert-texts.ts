import {
  type AlertKind,
  type AlertKindName,
  alertKinds,
  type Severity,
} from '../../../contract/shared/alert-kinds.ts'
import type { Tone } from '../../ui/badge.tsx'
import type { Alert, Incident } from './queries.ts'
import { formatSeconds } from '../../../contract/shared/seconds.ts'

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })

type Condition = Pick<Alert, 'kind' | 'comparison' | 'threshold' | 'for_seconds' | 'window_seconds'> & {
  check: Pick<NonNullable<Alert['check']>, 'path' | 'latency_ms'> | null
}

/** Returns the condition with its duration, such as “Disk above 85 % for 1 minute”. */
export function formatCondition(alert: Condition): string {
  const lasts = alert.for_seconds > 0 ? ` for ${formatSeconds(alert.for_seconds)}` : ''
  return `${formatLimit(alert)}${lasts}`
}

/** Returns the condition without its duration, such as “Disk above 85 %”. */
export function formatLimit({
  kind,
  comparison,
  threshold,
  window_seconds: window,
  check,
}: Condition): string {
  const { label, unit }: AlertKind = alertKinds[kind]
  if (kind === 'http_check') return formatCheck(label, check)
  // With a threshold of 0, any occurrence triggers the alert, so the text names no limit.
  if (threshold === null || unit === undefined || (unit === 'times' && threshold === 0)) return label
  const limit = numbers.format(threshold)
  if (unit === 'times') {
    const within = window === null ? '' : ` within ${formatSeconds(window)}`
    return `${label} more than ${limit} ${plural(threshold, 'time')}${within}`
  }
  if (unit === 'days') return `Certificate expires in less than ${limit} ${plural(threshold, 'day')}`
  return `${label} ${comparison ?? 'above'} ${limit}${unit === 'percent' ? ' %' : ' per core'}`
}

function formatCheck(label: string, check: Condition['check']): string {
  const path = check && check.path !== '/' ? ` at ${check.path}` : ''
  const within = check?.latency_ms ? ` or slower than ${numbers.format(check.latency_ms)} ms` : ''
  return `${label}${path}${within}`
}

const plural = (count: number, one: string) => (count === 1 ? one : `${one}s`)

const many = {
  server: 'servers',
  container: 'containers',
  application: 'applications',
  certificate: 'certificates',
} as const

export const subjectsPlural = (kind: AlertKindName) => many[alertKinds[kind].subject]

/** Returns the scope as text, such as “All servers”, “Servers in project Shop” or “web-1”. */
export function formatScope({ kind, scope }: Pick<Alert, 'kind' | 'scope'>): string {
  const subjects = subjectsPlural(kind)
  if (scope.kind === 'all') return `All ${subjects}`
  const name = scope.name ?? 'a deleted resource'
  if (scope.kind === 'container') return `${scope.container ?? ''} on ${name}`
  if (scope.kind === alertKinds[kind].subject) return scope.name ?? 'Deleted resource'
  const whole = subjects.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
  if (scope.kind === 'project') return `${whole} in project ${name}`
  return scope.kind === 'server' ? `${whole} on ${name}` : `${whole} of ${name}`
}

export function formatChannels(channels: Alert['channels']): string {
  if (channels === null) return 'All channels'
  if (channels.length === 0) return 'None'
  return `${channels.length} ${plural(channels.length, 'channel')}`
}

export const severityTexts: Record<Severity, { label: string; tone: Tone; help: string }> = {
  info: { label: 'Info', tone: 'neutral', help: 'No action needed.' },
  warning: { label: 'Warning', tone: 'yellow', help: 'Needs attention today.' },
  critical: { label: 'Critical', tone: 'red', help: 'Needs attention now.' },
}

export function alertBadge(alert: Pick<Alert, 'state' | 'firing'>): { tone: Tone; word: string } {
  if (alert.state === 'off') return { tone: 'neutral', word: 'Off' }
  if (alert.state === 'muted') return { tone: 'neutral', word: 'Muted' }
  if (alert.state === 'pending') return { tone: 'yellow', word: 'Pending' }
  if (alert.state === 'ok') return { tone: 'green', word: 'OK' }
  return { tone: 'red', word: alert.firing > 1 ? `Firing ${alert.firing}×` : 'Firing' }
}

export const incidentBadges: Record<Incident['state'], { tone: Tone; word: string }> = {
  pending: { tone: 'yellow', word: 'Pending' },
  firing: { tone: 'red', word: 'Firing' },
  resolved: { tone: 'green', word: 'Resolved' },
}

export const isMuted = (until: string | null) => until !== null && Date.parse(until) > Date.now()
