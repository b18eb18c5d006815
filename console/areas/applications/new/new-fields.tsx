import type { ReactNode } from 'react'
import { Field } from '../../../ui/form/field.tsx'
import { Input } from '../../../ui/form/input.tsx'
import { Textarea } from '../../../ui/form/textarea.tsx'
import type { NewApplicationDraft } from './new-draft.ts'
import type { FieldErrors } from './new-steps.ts'

type TextName = {
  [K in keyof NewApplicationDraft]: NewApplicationDraft[K] extends string ? K : never
}[keyof NewApplicationDraft]

export interface PartProps {
  draft: NewApplicationDraft
  errors: FieldErrors
}

interface FieldProps extends PartProps {
  name: TextName
  label: ReactNode
  help?: ReactNode
  optional?: boolean
  placeholder?: string
}

const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

export function TextField({ name, draft, errors, placeholder, ...rest }: FieldProps) {
  return (
    <Field {...rest} error={errors[name]}>
      <Input {...plain} name={name} defaultValue={draft[name]} placeholder={placeholder} />
    </Field>
  )
}

export function LinesField({
  name,
  draft,
  errors,
  placeholder,
  rows = 3,
  ...rest
}: FieldProps & { rows?: number }) {
  return (
    <Field {...rest} error={errors[name]}>
      <Textarea
        {...plain}
        name={name}
        mono
        rows={rows}
        defaultValue={draft[name]}
        placeholder={placeholder}
      />
    </Field>
  )
}
