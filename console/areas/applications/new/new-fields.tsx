import { Box, GitBranch, Layers } from 'lucide-react'
import type { ReactNode } from 'react'
import { Field } from '../../../ui/form/field.tsx'
import { Textarea } from '../../../ui/form/input.tsx'
import { SegmentedChoice } from '../../../ui/form/segmented-choice.tsx'
import { changeDraft } from './new-draft-store.ts'
import { type NewApplicationDraft, withSuggestedName } from './new-draft.ts'
import type { FieldErrors } from './new-errors.ts'

export interface PartProps {
  draft: NewApplicationDraft
  errors: FieldErrors
}

interface LinesFieldProps extends PartProps {
  name: 'domains' | 'ports' | 'volumes'
  label: ReactNode
  help: ReactNode
  placeholder: string
}

export const LinesField = ({ name, draft, errors, placeholder, ...rest }: LinesFieldProps) => (
  <Field {...rest} optional error={errors[name]}>
    <Textarea name={name} mono rows={3} defaultValue={draft[name]} placeholder={placeholder} />
  </Field>
)

const kinds = [
  { value: 'github', icon: GitBranch, label: 'GitHub repository' },
  { value: 'docker_image', icon: Box, label: 'Docker image' },
  { value: 'compose', icon: Layers, label: 'Compose file' },
]

export const SourceChoice = ({ draft }: Pick<PartProps, 'draft'>) => (
  <SegmentedChoice
    name="source.type"
    legend="Source"
    options={kinds}
    value={draft['source.type']}
    onChange={(type) => changeDraft(withSuggestedName(draft, { 'source.type': type }))}
  />
)
