import { readNumber, readOptionalNumber } from '../../../lib/form/read-number.ts'
import { Field } from '../../../ui/form/field.tsx'
import { Input } from '../../../ui/form/input.tsx'
import type { ApplicationChange, ApplicationDetails } from '../queries.ts'

type Settings = Pick<ApplicationDetails, 'memory_limit' | 'cpu_limit' | 'replicas'>

/** Memory is shown in MiB throughout the console. */
const mebibyte = 1024 ** 2

export const resourceFields = {
  memory_limit: 'optional',
  cpu_limit: 'optional',
  replicas: 'required',
} as const

type Typed = Record<keyof typeof resourceFields, string>

export const toResourcesDraft = ({ memory_limit: memory, cpu_limit: cpu, replicas }: Settings): Typed => ({
  memory_limit: memory === null ? '' : String(Number((memory / mebibyte).toFixed(3))),
  cpu_limit: cpu === null ? '' : String(cpu),
  replicas: String(replicas),
})

interface ResourceFieldsProps {
  typed: Typed
  errors: Readonly<Record<string, string>>
}

export const ResourceFields = ({ typed, errors }: ResourceFieldsProps) => (
  <div className="grid gap-4 sm:grid-cols-3">
    <Field
      label="Memory (MiB)"
      optional
      help="Memory limit. Leave empty for unlimited."
      error={errors['memory_limit']}
    >
      <Input
        name="memory_limit"
        defaultValue={typed.memory_limit}
        inputMode="decimal"
        autoComplete="off"
        placeholder="512"
      />
    </Field>
    <Field
      label="CPU (cores)"
      optional
      help="CPU limit, such as 0.5. Leave empty for unlimited."
      error={errors['cpu_limit']}
    >
      <Input
        name="cpu_limit"
        defaultValue={typed.cpu_limit}
        inputMode="decimal"
        autoComplete="off"
        placeholder="1"
      />
    </Field>
    <Field label="Replicas" help="Number of containers that share the traffic." error={errors['replicas']}>
      <Input name="replicas" defaultValue={typed.replicas} inputMode="numeric" autoComplete="off" />
    </Field>
  </div>
)

export function readResources(
  values: Typed,
): Pick<ApplicationChange, 'memory_limit' | 'cpu_limit' | 'replicas'> {
  const memory = readOptionalNumber('memory_limit', values.memory_limit)
  return {
    memory_limit: memory === null ? null : Math.round(memory * mebibyte),
    cpu_limit: readOptionalNumber('cpu_limit', values.cpu_limit),
    replicas: readNumber('replicas', values.replicas),
  }
}
