import { FileX } from 'lucide-react'
import { paths } from '../../paths.ts'
import { Missing } from '../missing.tsx'

interface TemplateMissingProps {
  title: string
  /** Whether it is what a new one is made from. */
  drafting?: boolean
  query: { error: Error | null; refetch: () => Promise<unknown> }
}

export const templateParents = [{ label: 'Templates', to: paths.templates }]

export function TemplateMissing({ title, drafting, query: { error, refetch } }: TemplateMissingProps) {
  return (
    <Missing
      title={title}
      parents={templateParents}
      error={error}
      onRetry={() => void refetch()}
      words={drafting ? ofDraft : words}
    />
  )
}

const words = {
  icon: FileX,
  gone: 'There is no such template here',
  why: 'It was deleted, or it belongs to another workspace.',
  others: { to: paths.templates, label: 'All templates' },
  failed: 'The template could not be loaded',
}

const ofDraft = {
  ...words,
  gone: 'What it was to be made from is not here',
  failed: 'No template can be made from it',
}
