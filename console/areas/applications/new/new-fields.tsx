import type { ReactNode } from 'react'
import { Field } from '../../../ui/form/field.tsx'
import { Input, Textarea } from '../../../ui/form/input.tsx'
import type { NewApplicationDraft } from './new-draft.ts'
import type { FieldErrors } from './new-steps.ts'
import { Box, GitBranch, Layers } from 'lucide-react'
import { changeDraft } from './new-draft-store.ts'

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

export const TextField = ({ name, draft, errors, placeholder, ...rest }: FieldProps) => (
  <Field {...rest} error={errors[name]}>
    <Input {...plain} name={name} defaultValue={draft[name]} placeholder={placeholder} />
  </Field>
)

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
      <Textarea name={name} mono rows={rows} defaultValue={draft[name]} placeholder={placeholder} />
    </Field>
  )
}

const kinds = [
  { type: 'github', icon: GitBranch, title: 'GitHub repository', text: 'Deploy on every push' },
  { type: 'docker_image', icon: Box, title: 'Docker image', text: 'Deploy a prebuilt image' },
  { type: 'compose', icon: Layers, title: 'Compose file', text: 'Deploy multiple services' },
] as const

export const SourceChoice = ({ draft }: { draft: NewApplicationDraft }) => (
  <fieldset className="grid gap-3 sm:grid-cols-3">
    <legend className="sr-only">Source</legend>
    {kinds.map(({ type, icon: Icon, title, text }) => (
      <label
        key={type}
        className="flex items-start gap-3 rounded-lg border border-line bg-raised p-4 hover:border-edge has-checked:border-accent-ink has-checked:bg-accent-soft"
      >
        <input
          type="radio"
          name="source.type"
          value={type}
          checked={draft['source.type'] === type}
          onChange={() => changeDraft({ 'source.type': type })}
          aria-label={title}
          className="mt-0.5 size-4 shrink-0 accent-accent max-sm:size-5"
        />
        <span className="flex min-w-0 flex-1 flex-col gap-0.5">
          <span className="flex items-center gap-2 font-medium">
            <Icon className="size-4 text-muted" aria-hidden />
            {title}
          </span>
          <span className="text-sm text-muted">{text}</span>
        </span>
      </label>
    ))}
  </fieldset>
)
