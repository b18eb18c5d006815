import { formatBytes } from '../../../contract/shared/bytes.ts'
import { ExternalTextLink } from '../../ui/external-text-link.tsx'
import { categoryLabels } from './category-labels.ts'
import type { TemplateDetails } from './queries.ts'
import { TemplateLogo } from './template-logo.tsx'

type Facts = Pick<
  TemplateDetails,
  'name' | 'logo' | 'description' | 'category' | 'links' | 'memory_bytes' | 'services'
>

export function TemplateFacts({ template }: { template: Facts }) {
  const { description, category, links, memory_bytes: memory, services } = template
  const facts = [
    categoryLabels[category],
    services.length === 1 ? '1 service' : `${services.length} services: ${services.join(', ')}`,
    ...(memory === null ? [] : [`at least ${formatBytes(memory)} of memory`]),
  ]
  return (
    <div className="flex items-start gap-4">
      <TemplateLogo template={template} large />
      <div className="flex min-w-0 flex-col gap-1 wrap-anywhere">
        <p>{description}</p>
        <p className="text-sm text-muted">{facts.join(' · ')}</p>
        {links.length > 0 && (
          <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
            {links.map(({ label, url }) => (
              <ExternalTextLink key={label} href={url}>
                {label}
              </ExternalTextLink>
            ))}
          </p>
        )}
      </div>
    </div>
  )
}
