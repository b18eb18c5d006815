import type { ComponentProps } from 'react'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Textarea } from '../../ui/form/textarea.tsx'

interface ProjectFieldsProps {
  errors: Record<string, string>
  typed?: Record<'name' | 'description', string>
  onInput?: ComponentProps<'div'>['onInput']
}

export function ProjectFields({ errors, typed, onInput }: ProjectFieldsProps) {
  return (
    <div className="flex max-w-2xl flex-col gap-4" onInput={onInput}>
      <Field label="Name" error={errors['name']}>
        <Input name="name" defaultValue={typed?.name} placeholder="Online shop" autoComplete="off" />
      </Field>
      <Field label="Description" optional error={errors['description']}>
        <Textarea name="description" rows={2} defaultValue={typed?.description} autoComplete="off" />
      </Field>
    </div>
  )
}
