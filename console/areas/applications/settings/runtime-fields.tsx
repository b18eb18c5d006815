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
  { value: 'on-failure', label: 'When it fails' },
  { value: 'no', label: 'Never' },
]

/** For useForm. */
export const runtimeFields = {
  command: 'optional',
  restart: 'required',
  stop_seconds: 'required',
  drain_seconds: 'required',
} as const

type Typed = Record<keyof typeof runtimeFields, string>

/** As one would have typed them. */
export const typeRuntime = (settings: Settings): Typed => ({
  command: writeCommand(settings.command),
  restart: settings.restart,
  stop_seconds: String(settings.stop_seconds),
  drain_seconds: String(settings.drain_seconds),
})

interface RuntimeFieldsProps {
  /** To begin with. */
  typed: Typed
  errors: Readonly<Record<string, string>>
  /** Told what cannot be heard as typing. */
  onChoose?: (field: 'restart', value: string) => void
}

/** What its containers run, and how they begin and end. */
export function RuntimeFields({ typed, errors, onChoose }: RuntimeFieldsProps) {
  return (
    <div className="flex max-w-2xl flex-col gap-4">
      <CommandField typed={typed.command} error={commandError(errors)} />
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label="Start again" help="When a container ends by itself." error={errors['restart']}>
          <Select
            name="restart"
            defaultValue={typed.restart}
            options={policies}
            onValueChange={(value) => onChoose?.('restart', value)}
          />
        </Field>
        <Field
          label="Time to drain (seconds)"
          help="What open requests get to end on an old container."
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
          label="Time to stop (seconds)"
          help="What a container gets to end by itself before it is killed."
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

/** `before` is the command that it has, which stays as it is where nobody typed another: a field changes line breaks. */
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
