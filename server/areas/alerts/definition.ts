import type { z } from 'zod'
import { defaultAlert } from '../../../contract/shared/alert-kinds.ts'
import { type createAlert, httpCheck, type previewAlert, type updateAlert } from '../../../contract/alerts.ts'
import type { AlertRow } from './observation.ts'

export type NewAlert = z.output<typeof createAlert.body>
export type AlertChanges = z.output<typeof updateAlert.body>
type AlertPreviewRequest = z.output<typeof previewAlert.body>

type Whole<T> = { [F in keyof T]-?: Exclude<T[F], undefined> }

/** What an alert looks at, and when that is bad. */
export interface AlertCondition extends Omit<Whole<Omit<AlertPreviewRequest, 'kind'>>, 'check'> {
  check: z.output<typeof httpCheck> | null
}

/** All that somebody can choose of an alert. */
export interface AlertDefinition extends AlertCondition {
  name: string
  enabled: boolean
  severity: AlertRow['severity']
  cooldown_seconds: number
  repeat_seconds: number | null
  windows: AlertRow['windows']
}

/** As usual for its kind, but for what is given. */
export function toAlertCondition(given: AlertPreviewRequest): AlertCondition {
  const usual = defaultAlert(given.kind, given)
  return {
    comparison: given.comparison === undefined ? usual.comparison : given.comparison,
    threshold: given.threshold === undefined ? usual.threshold : given.threshold,
    clear_threshold: given.clear_threshold === undefined ? usual.clear_threshold : given.clear_threshold,
    for_seconds: given.for_seconds ?? usual.for_seconds,
    clear_seconds: given.clear_seconds ?? usual.clear_seconds,
    window_seconds: given.window_seconds === undefined ? usual.window_seconds : given.window_seconds,
    check: given.check ?? (given.kind === 'http_check' ? httpCheck.parse({}) : null),
    scope: given.scope ?? { kind: 'all', id: null, container: null },
  }
}

export function toAlertDefinition(given: NewAlert): AlertDefinition {
  const usual = defaultAlert(given.kind)
  return {
    ...toAlertCondition(given),
    name: given.name,
    enabled: given.enabled ?? true,
    severity: given.severity ?? usual.severity,
    cooldown_seconds: given.cooldown_seconds ?? usual.cooldown_seconds,
    repeat_seconds: given.repeat_seconds ?? usual.repeat_seconds,
    windows: given.windows ?? [],
  }
}

/** As its row has it, but for what is given. */
export function applyAlertChanges(row: AlertRow, given: AlertChanges): AlertDefinition {
  const orElse = <T>(value: T | undefined, before: T): T => (value === undefined ? before : value)
  return {
    name: orElse(given.name, row.name),
    enabled: orElse(given.enabled, row.enabled),
    severity: orElse(given.severity, row.severity),
    comparison: orElse(given.comparison, row.comparison),
    threshold: orElse(given.threshold, row.threshold),
    clear_threshold: orElse(given.clear_threshold, clearedBy(row, given)),
    for_seconds: orElse(given.for_seconds, row.for_seconds),
    clear_seconds: orElse(given.clear_seconds, row.clear_seconds),
    window_seconds: orElse(given.window_seconds, row.window_seconds),
    cooldown_seconds: orElse(given.cooldown_seconds, row.cooldown_seconds),
    repeat_seconds: orElse(given.repeat_seconds, row.repeat_seconds),
    check: orElse(given.check, row.asked),
    scope: orElse(given.scope, { kind: row.scope_kind, id: row.scope_id, container: row.scope_container }),
    windows: orElse(given.windows, row.windows),
  }
}

/** It moves with the threshold where it stood as usual, or would be on the wrong side of it now. */
function clearedBy(row: AlertRow, { threshold, comparison }: AlertChanges): number | null {
  const { clear_threshold: before } = row
  if (before === null || (threshold === undefined && comparison === undefined)) return before
  const after = {
    comparison: comparison === undefined ? row.comparison : comparison,
    threshold: threshold === undefined ? row.threshold : threshold,
  }
  const stays = before !== defaultAlert(row.kind, row).clear_threshold && isOnGoodSide(before, after)
  return stays ? before : defaultAlert(row.kind, after).clear_threshold
}

/** Whether a value is on the good side of a threshold, or is it. */
export const isOnGoodSide = (
  value: number,
  { comparison, threshold }: Pick<AlertCondition, 'comparison' | 'threshold'>,
) => threshold === null || (comparison === 'below' ? value >= threshold : value <= threshold)

export const toAlertColumns = ({ check, scope, windows, ...plain }: AlertDefinition) => ({
  ...plain,
  asked: check && JSON.stringify(check),
  scope_kind: scope.kind,
  scope_id: scope.id,
  scope_container: scope.container,
  windows: JSON.stringify(windows),
})
