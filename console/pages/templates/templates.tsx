import { LayoutTemplate, Plus } from 'lucide-react'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { useCategoryFilter } from '../../areas/templates/category-filter.tsx'
import { type Template, templatesQuery } from '../../areas/templates/queries.ts'
import { TemplateCard } from '../../areas/templates/template-card.tsx'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { newTemplatePath } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ListPage } from '../list-page.tsx'

export function TemplatesPage() {
  const manages = roleAllows(useWorkspace().role, 'templates.manage')
  const { category, ...filter } = useCategoryFilter()
  return (
    <ListPage
      title="Templates"
      things="templates"
      icon={LayoutTemplate}
      action={
        manages && (
          <ButtonLink to={newTemplatePath()}>
            <Plus aria-hidden />
            New template
          </ButtonLink>
        )
      }
      empty={{
        title: 'No templates yet',
        text: 'Templates deploy ready-made applications in a few clicks.',
      }}
      layout={{ card: renderCard }}
      filter={filter}
      query={(q) => templatesQuery(q, category)}
    />
  )
}

const renderCard = (template: Template) => <TemplateCard key={template.id} template={template} />
