import { CalendarRange, ChevronLeft, ChevronRight, ZoomOut } from 'lucide-react'
import { useDialog } from '../../lib/use-dialog.ts'
import { Button } from '../../ui/button.tsx'
import { formatSpan } from '../../ui/chart/chart-time.ts'
import { classNames } from '../../ui/class-names.ts'
import { Switch } from '../../ui/form/checkbox.tsx'
import { useNow } from '../../ui/time.tsx'
import { nextSpan, previousSpan, ranges, type PastSpan } from './metrics-span.ts'
import type { MetricsView } from './use-metrics-view.ts'
import { type SubmitEvent, useState } from 'react'
import { toLocalTime } from '../../lib/local-time.ts'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'

export function MetricsToolbar({ view }: { view: MetricsView }) {
  const { past, range, compares } = view
  const now = useNow() / 1000
  const { dialog, open, close } = useDialog()
  const shown = past ?? { from: now - range.seconds, until: now }
  const [previous, next] = [previousSpan(shown, now), past && nextSpan(past, now)]
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <h2 id="metrics" className="text-base font-semibold">
          Metrics
        </h2>
        {past && (
          <p aria-live="polite" className="text-sm text-muted tabular-nums">
            {formatSpan(past.from, past.until)} · Not live
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Switch
          inline
          label="Compare with the day before"
          checked={compares}
          onCheckedChange={view.setCompares}
        />
        {past && (
          <Button size="small" className="max-sm:h-9" onClick={view.resetZoom}>
            <ZoomOut aria-hidden />
            Reset zoom
          </Button>
        )}
        <div className="flex items-center gap-1 max-sm:w-full max-sm:justify-between">
          <Button
            variant="ghost"
            size="small"
            icon
            className="max-sm:size-9"
            aria-label="Previous time range"
            disabled={!previous}
            onClick={() => previous && view.move(previous)}
          >
            <ChevronLeft aria-hidden />
          </Button>
          <RangeChoice view={view} onCustom={() => open('time-range')} />
          <Button
            variant="ghost"
            size="small"
            icon
            className="max-sm:size-9"
            aria-label="Next time range"
            disabled={!past}
            // The live range follows the last past span.
            onClick={() => (next ? view.move(next) : view.resetZoom())}
          >
            <ChevronRight aria-hidden />
          </Button>
        </div>
      </div>
      {dialog === 'time-range' && (
        <CustomRangeDialog shown={shown} onChoose={view.chooseSpan} onClose={close} />
      )}
    </div>
  )
}

function RangeChoice({
  view: { range, past, chooseRange },
  onCustom,
}: {
  view: MetricsView
  onCustom: () => void
}) {
  return (
    <fieldset aria-label="Range" className="flex rounded-md border border-line bg-subtle p-0.5">
      {ranges.map(({ key, label, title }) => (
        <button
          key={key}
          type="button"
          title={title}
          aria-pressed={!past && key === range.key}
          onClick={() => chooseRange(key)}
          className={segmentClasses}
        >
          {label}
        </button>
      ))}
      <button
        type="button"
        title="Custom range"
        aria-label="Custom range"
        aria-pressed={past !== undefined}
        onClick={onCustom}
        className={segmentClasses}
      >
        <CalendarRange aria-hidden className="size-4" />
      </button>
    </fieldset>
  )
}

const segmentClasses = classNames(
  'h-6 rounded-sm px-2 text-sm font-medium text-muted hover:text-ink max-sm:h-9 max-sm:px-2.5',
  'aria-pressed:bg-raised aria-pressed:text-ink aria-pressed:ring-1 aria-pressed:ring-line',
)

interface CustomRangeDialogProps {
  shown: PastSpan
  onChoose: (span: PastSpan) => void
  onClose: () => void
}

/** Dialog for a custom range, for users who cannot drag across a chart. */
function CustomRangeDialog({ shown, onChoose, onClose }: CustomRangeDialogProps) {
  const [from, setFrom] = useState(() => toLocalTime(new Date(shown.from * 1000)))
  const [until, setUntil] = useState(() => toLocalTime(new Date(shown.until * 1000)))
  const [error, setError] = useState<string>()

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const span = { from: Date.parse(from) / 1000, until: Date.parse(until) / 1000 }
    if (span.until <= span.from) setError('Must be after the start.')
    else if (span.from >= Date.now() / 1000) setError('Choose a range in the past.')
    else onChoose(span)
  }

  return (
    <Dialog open onOpenChange={onClose} title="Custom range" description="Metrics are kept for 30 days.">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label="From" help="Local time.">
          <Input
            type="datetime-local"
            required
            value={from}
            onChange={({ target }) => setFrom(target.value)}
          />
        </Field>
        <Field label="Until" error={error}>
          <Input
            type="datetime-local"
            required
            value={until}
            onChange={({ target }) => setUntil(target.value)}
          />
        </Field>
        <DialogFooter>Show range</DialogFooter>
      </form>
    </Dialog>
  )
}
