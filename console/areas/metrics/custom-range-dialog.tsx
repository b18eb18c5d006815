import { type SubmitEvent, useState } from 'react'
import { toLocalTime } from '../../lib/form/local-time.ts'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import type { PastSpan } from './metrics-span.ts'

interface CustomRangeDialogProps {
  shown: PastSpan
  onChoose: (span: PastSpan) => void
  onClose: () => void
}

/** Chooses a span without a pointer that could drag. */
export function CustomRangeDialog({ shown, onChoose, onClose }: CustomRangeDialogProps) {
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
