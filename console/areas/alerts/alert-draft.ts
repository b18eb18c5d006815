import {
  type AlertKindName,
  alertKinds,
  type AlertScope,
  type Severity,
  defaultAlert,
} from '../../../contract/shared/alert-kinds.ts'
import { type Duration, toDuration } from '../../ui/format/duration.ts'
import type { Alert } from './queries.ts'
import { type MaintenanceWindowDraft, toWindowDraft } from './maintenance-window-draft.ts'

export interface AlertDraft {
  kind: AlertKindName
  name: string
  severity: Severity
  comparison: 'above' | 'below'
  threshold: string
  clear_threshold: string
  for_seconds: Duration
  clear_seconds: Duration
  window_seconds: Duration
  cooldown_seconds: Duration
  repeats: boolean
  repeat_seconds: Duration
  check: CheckDraft
  scope: { kind: AlertScope; id: string; container: string }
  /** Sends the alert to all channels, including those that are added later. */
  everybody: boolean
  channels: readonly string[]
  windows: readonly MaintenanceWindowDraft[]
}

export interface CheckDraft {
  path: string
  status: string
  latency_ms: string
  contains: string
  every_seconds: Duration
}

const DEFAULT_REPEAT = 4 * 3600

const defaultCheck: CheckDraft = {
  path: '/',
  status: '2xx, 3xx',
  latency_ms: '',
  contains: '',
  every_seconds: toDuration(30),
}

export function newAlertDraft(kind: AlertKindName): AlertDraft {
  return {
    ...defaultLimits(kind),
    name: '',
    repeats: false,
    repeat_seconds: toDuration(DEFAULT_REPEAT),
    check: defaultCheck,
    scope: { kind: 'all', id: '', container: '' },
    everybody: true,
    channels: [],
    windows: [],
  }
}

type Limits = ReturnType<typeof defaultLimits>

function defaultLimits(kind: AlertKindName) {
  const usual = defaultAlert(kind)
  return {
    kind,
    severity: usual.severity,
    comparison: usual.comparison ?? ('above' as const),
    threshold: typed(usual.threshold),
    clear_threshold: typed(usual.clear_threshold),
    for_seconds: toDuration(usual.for_seconds),
    clear_seconds: toDuration(usual.clear_seconds),
    window_seconds: toDuration(usual.window_seconds ?? 600),
    cooldown_seconds: toDuration(usual.cooldown_seconds),
  }
}

/**
 * Switches the draft to another kind and applies the default limits of the kind. A scope that the kind does not
 * support is dropped.
 */
export const withKind = (draft: AlertDraft, kind: AlertKindName): AlertDraft => ({
  ...draft,
  ...defaultLimits(kind),
  scope:
    alertKinds[kind].subject === alertKinds[draft.kind].subject ? draft.scope : newAlertDraft(kind).scope,
})

/** Changes the threshold. The clear threshold follows until the user edits it. */
export function withThreshold(draft: AlertDraft, change: Partial<Pick<Limits, 'threshold' | 'comparison'>>) {
  const after = { ...draft, ...change }
  const follows = draft.clear_threshold === defaultClear(draft)
  return follows ? { ...after, clear_threshold: defaultClear(after) } : after
}

function defaultClear({
  kind,
  threshold,
  comparison,
}: Pick<Limits, 'kind' | 'threshold' | 'comparison'>): string {
  const limit = Number(threshold)
  if (threshold.trim() === '' || !Number.isFinite(limit)) return ''
  return typed(defaultAlert(kind, { comparison, threshold: limit }).clear_threshold)
}

export function toAlertDraft(alert: Alert): AlertDraft {
  const { kind, check, scope, repeat_seconds: repeat } = alert
  return {
    kind,
    name: alert.name,
    severity: alert.severity,
    comparison: alert.comparison ?? 'above',
    threshold: typed(alert.threshold),
    clear_threshold: typed(alert.clear_threshold),
    for_seconds: toDuration(alert.for_seconds),
    clear_seconds: toDuration(alert.clear_seconds),
    window_seconds: toDuration(alert.window_seconds ?? 600),
    cooldown_seconds: toDuration(alert.cooldown_seconds),
    repeats: repeat !== null,
    repeat_seconds: toDuration(repeat ?? DEFAULT_REPEAT),
    check: check
      ? {
          path: check.path,
          status: check.status,
          latency_ms: typed(check.latency_ms),
          contains: check.contains,
          every_seconds: toDuration(check.every_seconds),
        }
      : defaultCheck,
    scope: { kind: scope.kind, id: scope.id ?? '', container: scope.container ?? '' },
    everybody: alert.channels === null,
    channels: alert.channels ?? [],
    windows: alert.windows.map(toWindowDraft),
  }
}

const typed = (value: number | null) => (value === null ? '' : String(value))
