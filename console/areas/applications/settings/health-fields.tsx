import { type ReactNode, useState } from 'react'
import { readNumber, readOptionalNumber } from '../../../lib/form/read-number.ts'
import { Field } from '../../../ui/form/field.tsx'
import { Input } from '../../../ui/form/input.tsx'
import { Select } from '../../../ui/form/select.tsx'
import type { ApplicationChange, ApplicationDetails } from '../queries.ts'
import { StartupTimeoutField } from './timing-fields.tsx'

type Settings = Pick<ApplicationDetails, 'port' | 'health'>
type HealthType = Settings['health']['type']

const kinds: { value: HealthType; label: string; help: string }[] = [
  {
    value: 'auto',
    label: 'Automatic',
    help: 'Uses the image’s HEALTHCHECK, otherwise checks the port.',
  },
  { value: 'http', label: 'HTTP request', help: 'The path returns a 2xx or 3xx status code.' },
  { value: 'tcp', label: 'TCP connection', help: 'The port accepts connections.' },
  { value: 'docker', label: 'Image health check', help: 'The image’s HEALTHCHECK reports healthy.' },
  { value: 'none', label: 'None', help: 'The container keeps running.' },
]

export const healthFields = {
  port: 'optional',
  'health.type': 'required',
  'health.path': 'optional',
  'health.within_seconds': 'required',
} as const

type Typed = Record<keyof typeof healthFields, string>

export const toHealthDraft = ({ port, health }: Settings): Typed => ({
  port: port === null ? '' : String(port),
  'health.type': health.type,
  'health.path': health.path,
  'health.within_seconds': String(health.within_seconds),
})

interface PortFieldProps {
  typed: Pick<Typed, 'port'>
  errors: Readonly<Record<string, string>>
}

export const PortField = ({ typed, errors }: PortFieldProps) => (
  <Field label="Port" optional help="Defaults to the port that the image exposes." error={errors['port']}>
    <Input name="port" defaultValue={typed.port} inputMode="numeric" autoComplete="off" placeholder="3000" />
  </Field>
)

interface HealthFieldsProps {
  typed: Omit<Typed, 'port'>
  errors: Readonly<Record<string, string>>
  /** Some controls fire no input events, so they report their choice here. */
  onChoose?: (field: 'health.type', value: string) => void
  before?: ReactNode
}

export function HealthFields({ typed, errors, onChoose, before }: HealthFieldsProps) {
  const [own, setOwn] = useState(typed['health.type'])
  const type = onChoose ? typed['health.type'] : own
  const kind = kinds.find(({ value }) => value === type)
  function choose(value: string) {
    setOwn(value)
    onChoose?.('health.type', value)
  }
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {before}
      <Field label="Health check" help={kind?.help} error={errors['health.type']}>
        <Select name="health.type" value={type} onValueChange={choose} options={kinds} />
      </Field>
      {type === 'http' ? (
        <Field label="Path" help="Path to request, such as /healthz." error={errors['health.path']}>
          <Input name="health.path" defaultValue={typed['health.path']} mono />
        </Field>
      ) : (
        <input type="hidden" name="health.path" value={typed['health.path']} />
      )}
      <StartupTimeoutField help="How long new containers have to become healthy." {...{ typed, errors }} />
    </div>
  )
}

export const healthSummary = (typed: Omit<Typed, 'port'>) =>
  typed['health.type'] === 'http'
    ? `GET ${typed['health.path']}`
    : (kinds.find(({ value }) => value === typed['health.type'])?.label ?? '')

export const readHealth = (values: Typed): Pick<ApplicationChange, 'port' | 'health'> => ({
  port: readOptionalNumber('port', values.port),
  health: {
    type: kinds.find(({ value }) => value === values['health.type'])?.value ?? 'auto',
    path: values['health.path'] || '/',
    within_seconds: readNumber('health.within_seconds', values['health.within_seconds']),
  },
})
