import { Link } from 'react-router'
import { templatePath } from '../../paths.ts'
import { formatBytes } from '../../../contract/shared/bytes.ts'
import { categoryLabels } from './category-labels.ts'
import type { Template } from './queries.ts'
import { TemplateLogo } from './template-logo.tsx'

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
