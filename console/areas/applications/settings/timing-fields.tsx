import { readNumber } from '../../../lib/form/read-number.ts'
import { Field } from '../../../ui/form/field.tsx'
import { Input } from '../../../ui/form/input.tsx'
import type { ApplicationChange, ApplicationDetails } from '../queries.ts'

export const timingFields = { 'health.within_seconds': 'required', drain_seconds: 'required' } as const

type Typed = Record<keyof typeof timingFields, string>
type Settings = Pick<ApplicationDetails, 'health' | 'drain_seconds'>

export const toTimingDraft = ({ health, drain_seconds }: Settings): Typed => ({
  'health.within_seconds': String(health.within_seconds),
  drain_seconds: String(drain_seconds),
})

interface TimingFieldsProps {
  typed: Typed
  errors: Readonly<Record<string, string>>
}

export const TimingFields = ({ typed, errors }: TimingFieldsProps) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <StartupTimeoutField help="How long new containers have to become healthy." {...{ typed, errors }} />
    <Field
      label="Drain timeout (seconds)"
      help="How long old containers have to finish open requests."
      error={errors['drain_seconds']}
    >
      <Input name="drain_seconds" defaultValue={typed.drain_seconds} inputMode="numeric" autoComplete="off" />
    </Field>
  </div>
)

export const readTiming = (
  values: Typed,
  check: Pick<Settings['health'], 'type' | 'path'>,
): Pick<ApplicationChange, 'health' | 'drain_seconds'> => ({
  health: {
    type: check.type,
    path: check.path,
    within_seconds: readNumber('health.within_seconds', values['health.within_seconds']),
  },
  drain_seconds: readNumber('drain_seconds', values.drain_seconds),
})

interface ReadyWithinProps {
  help: string
  typed: Readonly<Record<'health.within_seconds', string>>
  errors: Readonly<Record<string, string>>
}

export const StartupTimeoutField = ({ help, typed, errors }: ReadyWithinProps) => (
  <Field label="Startup timeout (seconds)" help={help} error={errors['health.within_seconds']}>
    <Input
      name="health.within_seconds"
      defaultValue={typed['health.within_seconds']}
      inputMode="numeric"
      autoComplete="off"
    />
  </Field>
)
