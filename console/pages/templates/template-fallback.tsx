import { FileX } from 'lucide-react'
import { paths } from '../../paths.ts'
import { ResourceFallback } from '../page-fallback.tsx'

interface TemplateMissingProps {
  title: string
  /** Whether the template is the source of a copy. */
  drafting?: boolean
  query: { error: Error | null; refetch: () => Promise<unknown> }
}

export const templateParents = [{ label: 'Templates', to: paths.templates }]

export const TemplateFallback = ({ title, drafting, query: { error, refetch } }: TemplateMissingProps) => (
  <ResourceFallback
    title={title}
    parents={templateParents}
    error={error}
    onRetry={() => void refetch()}
    words={drafting ? ofDraft : words}
  />
)

const words = {
  icon: FileX,
  gone: 'Template not found',
  why: 'The template was deleted, or belongs to another workspace.',
  others: { to: paths.templates, label: 'All templates' },
  failed: "Couldn't load the template",
}

const ofDraft = {
  ...words,
  gone: 'Source not found',
  failed: "Couldn't create a template draft",
}
