import { Box, Layers } from 'lucide-react'
import type { ReactNode } from 'react'
import { BrandMark } from '../../../ui/brand/brand-logo.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Textarea } from '../../../ui/form/input.tsx'
import { SegmentedChoice } from '../../../ui/form/segmented-choice.tsx'
import { GitHubMark } from '../../../ui/logo.tsx'
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

const DockerMark = ({ className = '' }: { className?: string }) => (
  <BrandMark names={['docker']} fallback={<Box className={className} aria-hidden />} className={className} />
)

const kinds = [
  { value: 'github', icon: GitHubMark, label: 'GitHub repository' },
  { value: 'docker_image', icon: DockerMark, label: 'Docker image' },
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
