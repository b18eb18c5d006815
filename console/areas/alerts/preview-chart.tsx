import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { ApiError } from '../../lib/http/api-error.ts'
import { useDebounced } from '../../lib/form/use-debounced.ts'
import { Chart, ChartSkeleton } from '../../ui/chart/chart.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { readPreview } from './alert-body.ts'
import type { AlertDraft } from './alert-draft.ts'
import { toChartPoints, previewText, chartScale } from './preview-points.ts'
import { type Preview, type PreviewBody, previewQuery } from './queries.ts'
import { AddressText } from '../../lib/address.tsx'

const DAY = 86_400
const PAUSE = 300

export function PreviewChart({ draft }: { draft: AlertDraft }) {
  const typed = JSON.stringify(readPreview(draft) ?? null)
  const settled = useDebounced(typed, PAUSE)
  // oxlint-disable-next-line no-unsafe-type-assertion -- JSON.stringify above wrote the value
  const body = useMemo(() => (JSON.parse(settled) ?? undefined) as PreviewBody | undefined, [settled])
  const { data, error, isPlaceholderData } = useQuery(previewQuery(body))
  const drawn = useLatest(draft.kind, data ?? undefined)
  const scale = chartScale(draft.kind)
  const waits = body !== undefined && !data && !error
  return (
    <div className="flex flex-col gap-2" aria-busy={waits || isPlaceholderData || typed !== settled}>
      {scale && waits && !drawn && <ChartSkeleton title={scale.title} several={false} />}
      {scale && drawn && drawn.series.length > 0 && <Drawn draft={draft} data={drawn} scale={scale} />}
      <div aria-live="polite" className="min-h-5 text-sm text-muted">
        {waits && <Skeleton className="h-4 w-64" />}
        {error && !isTyping(error) && (
          <AddressText>{`Could not load the preview: ${error.message} You can still save the alert.`}</AddressText>
        )}
        {data && previewText(draft.kind, data)}
      </div>
    </div>
  )
}

/** Returns whether the input is incomplete. The preview does not report this error; the form does when it is saved. */
const isTyping = (error: Error) => error instanceof ApiError && error.status === 422

/** Returns the preview, or the last one of the same kind while the input is invalid. */
function useLatest(kind: AlertDraft['kind'], data: Preview | undefined): Preview | undefined {
  const [latest, setLatest] = useState<{ kind: AlertDraft['kind']; data: Preview }>()
  if (data && data !== latest?.data) setLatest({ kind, data })
  return data ?? (latest?.kind === kind ? latest.data : undefined)
}

interface DrawnProps {
  draft: AlertDraft
  data: Preview
  scale: NonNullable<ReturnType<typeof chartScale>>
}

function Drawn({ draft, data, scale }: DrawnProps) {
  const { title, unit, by, most } = scale
  const points = useMemo(() => toChartPoints(data.series, by), [data.series, by])
  const marks = useMemo(
    () => data.series.flatMap(({ fired_at: times }) => times.map((at) => Date.parse(at) / 1000)),
    [data.series],
  )
  const from = Date.parse(data.since) / 1000
  const threshold = readThreshold(draft)
  return (
    <Chart
      title={`${title}, last 24 hours`}
      unit={unit}
      lines={data.series.map(({ name }) => name)}
      points={points}
      step={data.step_seconds}
      from={from}
      to={from + DAY}
      most={most}
      threshold={threshold === undefined ? undefined : threshold * by}
      marks={marks}
      alike
      together="alert"
    />
  )
}

/** Returns the threshold line of the chart. For an HTTP check, the response time limit is the threshold. */
function readThreshold({ kind, threshold, check }: AlertDraft): number | undefined {
  const typed = kind === 'http_check' ? check.latency_ms : threshold
  const number = Number(typed)
  return typed.trim() === '' || !Number.isFinite(number) || number < 0 ? undefined : number
}
