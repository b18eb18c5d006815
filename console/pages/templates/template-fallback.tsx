import type { ComponentProps } from 'react'
import { paths } from '../../paths.ts'
import { ResourceFallback } from '../page-fallback.tsx'

export const templateParents = [{ label: 'Templates', to: paths.templates }]

interface TemplateFallbackProps extends Pick<ComponentProps<typeof ResourceFallback>, 'title' | 'query'> {
  drafting?: boolean
}

/** Stands in for a template. `drafting` means that the template is the source of a copy. */
export const TemplateFallback = ({ drafting = false, ...props }: TemplateFallbackProps) => (
  <ResourceFallback {...props} parents={templateParents} words={drafting ? ofDraft : words} />
)

const words = {
  gone: 'Template not found',
  why: 'The template was deleted or belongs to another workspace.',
  others: { to: paths.templates, label: 'All templates' },
  failed: 'Could not load template',
}

const ofDraft = {
  ...words,
  gone: 'Source not found',
  why: 'The application or template to copy was deleted or belongs to another workspace.',
  failed: 'Could not create template draft',
}
