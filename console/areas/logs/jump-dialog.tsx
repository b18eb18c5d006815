import { type SubmitEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { fieldTime } from './line-time.ts'

const minute = 60_000
const ago = [
  { label: '15 minutes ago', milliseconds: 15 * minute },
  { label: '1 hour ago', milliseconds: 60 * minute },
  { label: '24 hours ago', milliseconds: 24 * 60 * minute },
]

interface JumpDialogProps {
  /** The current start time. */
  since: string
  onJump: (since: string) => void
  onClose: () => void
}

export function JumpDialog({ since, onJump, onClose }: JumpDialogProps) {
  const [first] = useState(() => {
    const known = Date.parse(since)
    return fieldTime(new Date(Number.isNaN(known) ? Date.now() - 60 * minute : known))
  })
  const jump = (then: Date) => onJump(then.toISOString())

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = new FormData(event.currentTarget).get('time')
    if (typeof typed === 'string' && typed !== '') jump(new Date(typed))
  }

  return (
    <Dialog open onOpenChange={onClose} title="Jump to time">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label="Show lines from" help="In your local time.">
          <Input type="datetime-local" name="time" step={1} required defaultValue={first} />
        </Field>
        <div className="flex flex-wrap gap-2">
          {ago.map(({ label, milliseconds }) => (
            <Button key={label} size="small" onClick={() => jump(new Date(Date.now() - milliseconds))}>
              {label}
            </Button>
          ))}
        </div>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary">
            Jump
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
