import { readNumber } from '../../../lib/form/read-number.ts'
import { Field } from '../../../ui/form/field.tsx'
import { Input } from '../../../ui/form/input.tsx'
import { Select } from '../../../ui/form/select.tsx'
import type { ApplicationChange } from '../changes.ts'
import { CommandField } from './command-field.tsx'
import { commandError, readCommand, writeCommand } from './command-text.ts'
import type { ApplicationDetails } from '../queries.ts'

type Settings = Pick<ApplicationDetails, 'command' | 'restart' | 'stop_seconds' | 'drain_seconds'>

const policies: { value: Settings['restart']; label: string }[] = [
  { value: 'always', label: 'Always' },
  { value: 'on-failure', label: 'On failure' },
  { value: 'no', label: 'Never' },
]

export const runtimeFields = {
  command: 'optional',
  restart: 'required',
  stop_seconds: 'required',
  drain_seconds: 'required',
} as const

type Typed = Record<keyof typeof runtimeFields, string>

export const typeRuntime = (settings: Settings): Typed => ({
  command: writeCommand(settings.command),
  restart: settings.restart,
  stop_seconds: String(settings.stop_seconds),
  drain_seconds: String(settings.drain_seconds),
})

interface RuntimeFieldsProps {
  /** Initial values. */
  typed: Typed
  errors: Readonly<Record<string, string>>
  /** For controls that do not fire input events. */
  onChoose?: (field: 'restart', value: string) => void
}

export function RuntimeFields({ typed, errors, onChoose }: RuntimeFieldsProps) {
  return (
    <div className="flex max-w-2xl flex-col gap-4">
      <CommandField typed={typed.command} error={commandError(errors)} />
      <div className="grid gap-4 sm:grid-cols-3">
        <Field
          label="Restart policy"
          help="When Docker restarts a container that exits."
          error={errors['restart']}
        >
          <Select
            name="restart"
            defaultValue={typed.restart}
            options={policies}
            onValueChange={(value) => onChoose?.('restart', value)}
          />
        </Field>
        <Field
          label="Drain timeout (seconds)"
          help="How long old containers may finish open requests."
          error={errors['drain_seconds']}
        >
          <Input
            name="drain_seconds"
            defaultValue={typed.drain_seconds}
            inputMode="numeric"
            autoComplete="off"
          />
        </Field>
        <Field
          label="Stop timeout (seconds)"
          help="Grace period before SIGKILL."
          error={errors['stop_seconds']}
        >
          <Input
            name="stop_seconds"
            defaultValue={typed.stop_seconds}
            inputMode="numeric"
            autoComplete="off"
          />
        </Field>
      </div>
    </div>
  )
}

/** Returns `before` if the command was not edited: the field changes line breaks. */
export const readRuntime = (
  values: Typed,
  before: Settings['command'],
): Pick<ApplicationChange, 'command' | 'restart' | 'stop_seconds' | 'drain_seconds'> => ({
  command: isSameText(values.command, writeCommand(before)) ? before : readCommand(values.command),
  restart: policies.find(({ value }) => value === values.restart)?.value ?? 'always',
  stop_seconds: readNumber('stop_seconds', values.stop_seconds),
  drain_seconds: readNumber('drain_seconds', values.drain_seconds),
})

const isSameText = (a: string, b: string) => withoutReturns(a) === withoutReturns(b)
const withoutReturns = (text: string) => text.replaceAll(/\r\n?/g, '\n').trim()
