import { type AlertKind, alertKinds } from '../../../contract/shared/alert-kinds.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { readNumber, readOptionalNumber } from '../../lib/form/read-number.ts'
import { type Duration, toSeconds } from '../../ui/format/duration.ts'
import type { AlertDraft } from './alert-draft.ts'
import { formatLimit } from './alert-texts.ts'
import type { NewAlert, PreviewBody } from './queries.ts'
import { readWindow } from './maintenance-window-draft.ts'

/** Reads an alert from its draft. Throws an ApiError that names the invalid field. */
export function readAlert(draft: AlertDraft): Required<Omit<NewAlert, 'enabled' | 'check'>> & NewAlert {
  const limits = readLimits(draft)
  return {
    ...limits,
    name: draft.name || proposedName(draft),
    severity: draft.severity,
    cooldown_seconds: readDuration('cooldown_seconds', draft.cooldown_seconds),
    repeat_seconds: draft.repeats ? readDuration('repeat_seconds', draft.repeat_seconds) : null,
    channels: draft.everybody ? null : [...draft.channels],
    windows: draft.windows.map((window, at) => {
      const read = readWindow(window)
      if (!read) throw wrong(`windows.${at}`, 'Enter a start and an end.')
      return read
    }),
  }
}

/**
 * Reads the preview request of a draft. Returns undefined while the input is incomplete, because a half-typed value is
 * no error yet.
 */
export function readPreview(draft: AlertDraft): PreviewBody | undefined {
  try {
    return readLimits(draft)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

function readLimits(draft: AlertDraft) {
  const { kind, scope } = draft
  const { unit }: AlertKind = alertKinds[kind]
  const limited = unit !== undefined
  return {
    kind,
    comparison: limited ? draft.comparison : null,
    threshold: limited ? readNumber('threshold', draft.threshold) : null,
    clear_threshold: limited ? readOptionalNumber('clear_threshold', draft.clear_threshold) : null,
    for_seconds: readDuration('for_seconds', draft.for_seconds),
    clear_seconds: readDuration('clear_seconds', draft.clear_seconds),
    window_seconds: unit === 'times' ? readDuration('window_seconds', draft.window_seconds) : null,
    ...(kind === 'http_check' && { check: readCheck(draft.check) }),
    scope: readScope(scope),
  }
}

const readCheck = (check: AlertDraft['check']) => ({
  path: check.path,
  status: check.status,
  latency_ms: readOptionalNumber('check.latency_ms', check.latency_ms),
  contains: check.contains,
  every_seconds: readDuration('check.every_seconds', check.every_seconds),
})

function readScope({ kind, id, container }: AlertDraft['scope']) {
  if (kind === 'all') return { kind, id: null, container: null }
  if (id === '') throw wrong('scope.id', `Choose ${articles[kind]}.`)
  if (kind === 'container' && container === '') throw wrong('scope.container', 'Choose a container.')
  return { kind, id, container: kind === 'container' ? container : null }
}

const articles = {
  server: 'a server',
  project: 'a project',
  application: 'an application',
  container: 'a server',
}

const readDuration = (field: string, { amount, unit }: Duration) => toSeconds(readNumber(field, amount), unit)

const wrong = (field: string, sentence: string) =>
  new ApiError({ messages: [sentence], fields: { [field]: sentence } })

export function proposedName(draft: AlertDraft): string {
  const threshold = Number(draft.threshold)
  const { kind, comparison, check } = draft
  const limits = { for_seconds: 0, window_seconds: null, check: { path: check.path, latency_ms: null } }
  const usable = draft.threshold.trim() !== '' && Number.isFinite(threshold)
  return formatLimit({ kind, comparison, threshold: usable ? threshold : null, ...limits })
}
