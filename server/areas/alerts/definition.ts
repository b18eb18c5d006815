import type { z } from 'zod'
import {
  type AlertKind,
  type AlertKindName,
  alertKinds,
  defaultAlert,
  scopesForKind,
} from '../../../contract/shared/alert-kinds.ts'
import { type createAlert, httpCheck, type previewAlert, type updateAlert } from '../../../contract/alerts.ts'
import { Invalid } from '../../errors.ts'
import { isTimezone } from './maintenance-windows.ts'
import type { AlertRow } from './observer.ts'

export type NewAlert = z.output<typeof createAlert.body>
export type AlertChanges = z.output<typeof updateAlert.body>
type AlertPreviewRequest = z.output<typeof previewAlert.body>

type Whole<T> = { [F in keyof T]-?: Exclude<T[F], undefined> }

export interface AlertCondition extends Omit<Whole<Omit<AlertPreviewRequest, 'kind'>>, 'check'> {
  check: z.output<typeof httpCheck> | null
}

export interface AlertDefinition extends AlertCondition {
  name: string
  enabled: boolean
  severity: AlertRow['severity']
  cooldown_seconds: number
  repeat_seconds: number | null
  windows: AlertRow['windows']
}

export function toAlertCondition(input: AlertPreviewRequest): AlertCondition {
  const defaults = defaultAlert(input.kind, input)
  return {
    comparison: input.comparison === undefined ? defaults.comparison : input.comparison,
    threshold: input.threshold === undefined ? defaults.threshold : input.threshold,
    clear_threshold: input.clear_threshold === undefined ? defaults.clear_threshold : input.clear_threshold,
    for_seconds: input.for_seconds ?? defaults.for_seconds,
    clear_seconds: input.clear_seconds ?? defaults.clear_seconds,
    window_seconds: input.window_seconds === undefined ? defaults.window_seconds : input.window_seconds,
    check: input.check ?? (input.kind === 'http_check' ? httpCheck.parse({}) : null),
    scope: input.scope ?? { kind: 'all', id: null, container: null },
  }
}

export function toAlertDefinition(input: NewAlert): AlertDefinition {
  const defaults = defaultAlert(input.kind)
  return {
    ...toAlertCondition(input),
    name: input.name,
    enabled: input.enabled ?? true,
    severity: input.severity ?? defaults.severity,
    cooldown_seconds: input.cooldown_seconds ?? defaults.cooldown_seconds,
    repeat_seconds: input.repeat_seconds ?? defaults.repeat_seconds,
    windows: input.windows ?? [],
  }
}

export function applyAlertChanges(row: AlertRow, input: AlertChanges): AlertDefinition {
  const { channels: _channels, ...fields } = input
  const changes = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  return {
    name: row.name,
    enabled: row.enabled,
    severity: row.severity,
    comparison: row.comparison,
    threshold: row.threshold,
    clear_threshold: clearThreshold(row, input),
    for_seconds: row.for_seconds,
    clear_seconds: row.clear_seconds,
    window_seconds: row.window_seconds,
    cooldown_seconds: row.cooldown_seconds,
    repeat_seconds: row.repeat_seconds,
    check: row.http_check,
    scope: { kind: row.scope_kind, id: row.scope_id, container: row.scope_container },
    windows: row.windows,
    ...changes,
  }
}

/** Recalculates a default clear threshold and one that a new threshold puts on the wrong side; keeps any other. */
function clearThreshold(row: AlertRow, { threshold, comparison }: AlertChanges): number | null {
  const { clear_threshold: before } = row
  if (before === null || (threshold === undefined && comparison === undefined)) return before
  const after = {
    comparison: comparison === undefined ? row.comparison : comparison,
    threshold: threshold === undefined ? row.threshold : threshold,
  }
  const stays = before !== defaultAlert(row.kind, row).clear_threshold && isOnGoodSide(before, after)
  return stays ? before : defaultAlert(row.kind, after).clear_threshold
}

/** A value equal to the threshold counts as good. */
export const isOnGoodSide = (
  value: number,
  { comparison, threshold }: Pick<AlertCondition, 'comparison' | 'threshold'>,
) => threshold === null || (comparison === 'below' ? value >= threshold : value <= threshold)

export const toAlertColumns = ({ check, scope, windows, ...plain }: AlertDefinition) => ({
  ...plain,
  http_check: check && JSON.stringify(check),
  scope_kind: scope.kind,
  scope_id: scope.id,
  scope_container: scope.container,
  windows: JSON.stringify(windows),
})

type FieldError = [field: string, sentence: string]

export function assertValidDefinition(
  kind: AlertKindName,
  watched: AlertCondition,
  windows: AlertDefinition['windows'] = [],
): void {
  const wrong = [
    ...thresholdErrors(kind, watched),
    ...windowErrors(kind, watched),
    ...scopeErrors(kind, watched),
    ...windows.flatMap(maintenanceErrors),
  ]
  if (wrong.length > 0)
    throw new Invalid(Object.fromEntries(wrong.map(([field, sentence]) => [field, [sentence]])))
}

function thresholdErrors(kind: AlertKindName, watched: AlertCondition): FieldError[] {
  const { unit, label, comparison }: AlertKind = alertKinds[kind]
  if (!unit) {
    const none = `Not supported by this kind of alert (${label}).`
    return (['comparison', 'threshold', 'clear_threshold'] as const).flatMap((field): FieldError[] =>
      watched[field] === null ? [] : [[field, none]],
    )
  }
  if (watched.comparison === null) return [['comparison', 'Must be above or below.']]
  if ((unit === 'times' || unit === 'days') && watched.comparison !== comparison)
    return [['comparison', `Must be ${comparison} for this kind of alert (${label}).`]]
  if (watched.threshold === null) return [['threshold', 'Is required.']]
  return [
    ...valueErrors('threshold', kind, watched.threshold),
    ...(watched.clear_threshold === null
      ? []
      : valueErrors('clear_threshold', kind, watched.clear_threshold)),
    ...sideErrors(watched),
  ]
}

/** A container may use several cores, and 100 % is one core. */
const maxPercent = (kind: AlertKindName) => (kind === 'container_cpu' ? 100_000 : 100)

function valueErrors(field: string, kind: AlertKindName, value: number): FieldError[] {
  const { unit }: AlertKind = alertKinds[kind]
  if (unit === 'percent' && value > maxPercent(kind))
    return [[field, `Must be at most ${maxPercent(kind)} percent.`]]
  if ((unit === 'times' || unit === 'days') && !Number.isInteger(value))
    return [[field, 'Must be a whole number.']]
  return []
}

function sideErrors(watched: AlertCondition): FieldError[] {
  const { comparison, threshold, clear_threshold } = watched
  if (clear_threshold === null || isOnGoodSide(clear_threshold, watched)) return []
  return [['clear_threshold', `Must not be ${comparison} the threshold, ${threshold}.`]]
}

function windowErrors(kind: AlertKindName, { window_seconds, check }: AlertCondition): FieldError[] {
  const { windowSeconds, label }: AlertKind = alertKinds[kind]
  const wrong: FieldError[] = []
  if (windowSeconds === undefined && window_seconds !== null)
    wrong.push(['window_seconds', `Not supported by this kind of alert (${label}).`])
  if (windowSeconds !== undefined && window_seconds === null) wrong.push(['window_seconds', 'Is required.'])
  if (kind !== 'http_check' && check !== null)
    wrong.push(['check', `Not supported by this kind of alert (${label}).`])
  return wrong
}

function scopeErrors(kind: AlertKindName, { scope }: AlertCondition): FieldError[] {
  const allowed = scopesForKind(kind)
  if (!allowed.includes(scope.kind)) return [['scope.kind', `Must be one of ${allowed.join(', ')}.`]]
  const wrong: FieldError[] = []
  if (scope.kind === 'all' && scope.id !== null)
    wrong.push(['scope.id', 'Must be empty when the scope is all.'])
  if (scope.kind !== 'all' && !scope.id) wrong.push(['scope.id', 'Is required.'])
  if (scope.kind === 'container' && !scope.container)
    wrong.push(['scope.container', 'Enter the container name.'])
  if (scope.kind !== 'container' && scope.container !== null)
    wrong.push(['scope.container', 'Must be empty unless the scope is container.'])
  return wrong
}

function maintenanceErrors(window: AlertDefinition['windows'][number], index: number): FieldError[] {
  const fieldPath = (field: string) => `windows.${index}.${field}`
  if (window.kind === 'once')
    return Date.parse(window.to) > Date.parse(window.from)
      ? []
      : [[fieldPath('to'), 'Must be after the start.']]
  const wrong: FieldError[] = []
  if (window.from === window.to) wrong.push([fieldPath('to'), 'Must differ from the start.'])
  if (!isTimezone(window.timezone))
    wrong.push([fieldPath('timezone'), 'Must be a time zone, such as Europe/Berlin or UTC.'])
  return wrong
}
