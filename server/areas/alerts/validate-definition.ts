import {
  type AlertKind,
  type AlertKindName,
  alertKinds,
  scopesForKind,
} from '../../../contract/shared/alert-kinds.ts'
import { Invalid } from '../../errors.ts'
import { type AlertDefinition, isOnGoodSide, type AlertCondition } from './definition.ts'
import { isTimezone } from './time-zone.ts'

type FieldError = [field: string, sentence: string]

/** Responds with 422 and one message per invalid field. */
export function assertValidDefinition(
  kind: AlertKindName,
  watched: AlertCondition,
  windows: AlertDefinition['windows'] = [],
): void {
  const wrong = [
    ...wrongThreshold(kind, watched),
    ...wrongWindow(kind, watched),
    ...wrongScope(kind, watched),
    ...windows.flatMap(wrongQuiet),
  ]
  if (wrong.length > 0)
    throw new Invalid(Object.fromEntries(wrong.map(([field, sentence]) => [field, [sentence]])))
}

function wrongThreshold(kind: AlertKindName, watched: AlertCondition): FieldError[] {
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
    ...wrongFigure('threshold', kind, watched.threshold),
    ...(watched.clear_threshold === null
      ? []
      : wrongFigure('clear_threshold', kind, watched.clear_threshold)),
    ...wrongSide(watched),
  ]
}

/** A container may use several cores, and 100 % is one core. */
const maxPercent = (kind: AlertKindName) => (kind === 'container_cpu' ? 100_000 : 100)

function wrongFigure(field: string, kind: AlertKindName, value: number): FieldError[] {
  const { unit }: AlertKind = alertKinds[kind]
  if (unit === 'percent' && value > maxPercent(kind))
    return [[field, `Must be at most ${maxPercent(kind)} percent.`]]
  if ((unit === 'times' || unit === 'days') && !Number.isInteger(value))
    return [[field, 'Must be a whole number.']]
  return []
}

function wrongSide(watched: AlertCondition): FieldError[] {
  const { comparison, threshold, clear_threshold } = watched
  if (clear_threshold === null || isOnGoodSide(clear_threshold, watched)) return []
  return [['clear_threshold', `Must not be ${comparison} the threshold, ${threshold}.`]]
}

function wrongWindow(kind: AlertKindName, { window_seconds, check }: AlertCondition): FieldError[] {
  const { windowSeconds, label }: AlertKind = alertKinds[kind]
  const wrong: FieldError[] = []
  if (windowSeconds === undefined && window_seconds !== null)
    wrong.push(['window_seconds', `Not supported by this kind of alert (${label}).`])
  if (windowSeconds !== undefined && window_seconds === null) wrong.push(['window_seconds', 'Is required.'])
  if (kind !== 'http_check' && check !== null)
    wrong.push(['check', `Not supported by this kind of alert (${label}).`])
  return wrong
}

function wrongScope(kind: AlertKindName, { scope }: AlertCondition): FieldError[] {
  const allowed = scopesForKind(kind)
  if (!allowed.includes(scope.kind)) return [['scope.kind', `Must be one of ${allowed.join(', ')}.`]]
  const wrong: FieldError[] = []
  if (scope.kind === 'all' && scope.id !== null) wrong.push(['scope.id', 'Must be empty for the scope all.'])
  if (scope.kind !== 'all' && !scope.id) wrong.push(['scope.id', 'Is required.'])
  if (scope.kind === 'container' && !scope.container)
    wrong.push(['scope.container', 'Enter the container name.'])
  if (scope.kind !== 'container' && scope.container !== null)
    wrong.push(['scope.container', 'Must be empty unless the scope is container.'])
  return wrong
}

function wrongQuiet(window: AlertDefinition['windows'][number], index: number): FieldError[] {
  const at = (field: string) => `windows.${index}.${field}`
  if (window.kind === 'once')
    return Date.parse(window.to) > Date.parse(window.from) ? [] : [[at('to'), 'Must be after the start.']]
  const wrong: FieldError[] = []
  if (window.from === window.to) wrong.push([at('to'), 'Must differ from the start.'])
  if (!isTimezone(window.timezone))
    wrong.push([at('timezone'), 'Must be a time zone, such as Europe/Berlin or UTC.'])
  return wrong
}
