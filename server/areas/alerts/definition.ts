import type { z } from 'zod'
import { defaultAlert } from '../../../contract/shared/alert-kinds.ts'
import { type createAlert, httpCheck, type previewAlert, type updateAlert } from '../../../contract/alerts.ts'
import type { AlertRow } from './observation.ts'

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

/** Fills in the defaults of the kind. */
export function toAlertCondition(input: AlertPreviewRequest): AlertCondition {
  const usual = defaultAlert(input.kind, input)
  return {
    comparison: input.comparison === undefined ? usual.comparison : input.comparison,
    threshold: input.threshold === undefined ? usual.threshold : input.threshold,
    clear_threshold: input.clear_threshold === undefined ? usual.clear_threshold : input.clear_threshold,
    for_seconds: input.for_seconds ?? usual.for_seconds,
    clear_seconds: input.clear_seconds ?? usual.clear_seconds,
    window_seconds: input.window_seconds === undefined ? usual.window_seconds : input.window_seconds,
    check: input.check ?? (input.kind === 'http_check' ? httpCheck.parse({}) : null),
    scope: input.scope ?? { kind: 'all', id: null, container: null },
  }
}

export function toAlertDefinition(input: NewAlert): AlertDefinition {
  const usual = defaultAlert(input.kind)
  return {
    ...toAlertCondition(input),
    name: input.name,
    enabled: input.enabled ?? true,
    severity: input.severity ?? usual.severity,
    cooldown_seconds: input.cooldown_seconds ?? usual.cooldown_seconds,
    repeat_seconds: input.repeat_seconds ?? usual.repeat_seconds,
    windows: input.windows ?? [],
  }
}

/** Keeps the values of the row that the input does not set. */
export function applyAlertChanges(row: AlertRow, input: AlertChanges): AlertDefinition {
  const orElse = <T>(value: T | undefined, before: T): T => (value === undefined ? before : value)
  return {
    name: orElse(input.name, row.name),
    enabled: orElse(input.enabled, row.enabled),
    severity: orElse(input.severity, row.severity),
    comparison: orElse(input.comparison, row.comparison),
    threshold: orElse(input.threshold, row.threshold),
    clear_threshold: orElse(input.clear_threshold, clearThreshold(row, input)),
    for_seconds: orElse(input.for_seconds, row.for_seconds),
    clear_seconds: orElse(input.clear_seconds, row.clear_seconds),
    window_seconds: orElse(input.window_seconds, row.window_seconds),
    cooldown_seconds: orElse(input.cooldown_seconds, row.cooldown_seconds),
    repeat_seconds: orElse(input.repeat_seconds, row.repeat_seconds),
    check: orElse(input.check, row.asked),
    scope: orElse(input.scope, { kind: row.scope_kind, id: row.scope_id, container: row.scope_container }),
    windows: orElse(input.windows, row.windows),
  }
}

/**
 * Move the clear threshold with the threshold when it had the default distance, or it could end up on the wrong side.
 */
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

/** The threshold itself counts as good. */
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
