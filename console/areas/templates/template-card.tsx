import { Link } from 'react-router'
import { templatePath } from '../../paths.ts'
import { formatBytes } from '../../../contract/shared/bytes.ts'
import { categoryLabels } from './category-filter.tsx'
import type { Template, TemplateDetails } from './queries.ts'
import { ExternalTextLink } from '../../ui/text-link.tsx'
import { initials } from '../../ui/avatar.tsx'
import { BrandLogo } from '../../ui/brand/brand-logo.tsx'

export function TemplateCard({ template }: { template: Template }) {
  const { id, name, description, builtin } = template
  return (
    <li className="relative flex gap-3 rounded-lg border border-line bg-raised p-4 hover:border-edge hover:bg-subtle">
      <TemplateLogo template={template} />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <h2 className="font-semibold wrap-anywhere">
          <Link
            to={templatePath(id)}
            className="outline-none after:absolute after:inset-0 after:rounded-lg focus-visible:after:outline-2 focus-visible:after:outline-accent-ink"
          >
            <bdi>{name}</bdi>
          </Link>
        </h2>
        <p className="line-clamp-2 text-sm wrap-anywhere text-muted">{description}</p>
        <p className="mt-auto pt-1 text-sm text-muted">{factsOf(template, !builtin)}</p>
      </div>
    </li>
  )
}

const factsOf = ({ category, memory_bytes: memory }: Template, own: boolean) =>
  [own && 'Workspace template', categoryLabels[category], memory !== null && `from ${formatBytes(memory)}`]
    .filter(Boolean)
    .join(' · ')

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
    <>
      {description}
      <span className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {facts.join(' · ')}
        {links.map(({ label, url }) => (
          <ExternalTextLink key={label} href={url}>
            {label}
          </ExternalTextLink>
        ))}
      </span>
    </>
  )
}

interface TemplateLogoProps {
  template: { name: string; logo: string | null }
  large?: boolean
}

export const TemplateLogo = ({ template: { name, logo }, large = false }: TemplateLogoProps) => (
  <BrandLogo
    names={logo === null ? [] : [logo]}
    fallback={initials(name)}
    size={large ? 'large' : 'medium'}
  />
)
