import { useQuery } from '@tanstack/react-query'
import { Copy, Pencil, Trash2 } from 'lucide-react'
import { useNavigate, useParams } from 'react-router'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { type TemplateDetails, templateQuery, useDeleteTemplate } from '../../areas/templates/queries.ts'
import { TemplateFacts, TemplateLogo } from '../../areas/templates/template-card.tsx'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { isNotFound } from '../../lib/http/api-error.ts'
import { ReviewHostAccess } from '../../lib/review.tsx'
import { useDialog } from '../../lib/use-dialog.ts'
import { useTitle } from '../../lib/use-title.ts'
import { newTemplatePath, paths, templatePath } from '../../paths.ts'
import { ActionsMenu, MenuItem, MenuLink } from '../../ui/menu/dropdown-menu.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { NotAllowed } from '../page-fallback.tsx'
import { DeployTemplate } from './deploy-template.tsx'
import { TemplateFallback, templateParents } from './template-fallback.tsx'
import { RemoveDialog } from '../../lib/form/remove-dialog.tsx'

export function TemplatePage() {
  const { id = '' } = useParams()
  return <OneTemplate key={id} id={id} />
}

function OneTemplate({ id }: { id: string }) {
  const query = useQuery(templateQuery(id))
  const template = query.data
  const { role } = useWorkspace()
  const { dialog, open, close } = useDialog()
  const title = template?.name ?? 'Template'
  useTitle(title)
  if (!template || isNotFound(query.error)) return <TemplateFallback title={title} query={query} />
  const manages = roleAllows(role, 'templates.manage')
  return (
    <>
      <PageHeader
        title={title}
        icon={<TemplateLogo template={template} large />}
        description={<TemplateFacts template={template} />}
        parents={templateParents}
        menu={manages && <Menu template={template} onDelete={() => open('delete')} />}
      />
      <ReviewHostAccess items={template.host_access} allowed={roleAllows(role, 'servers.root')} />
      {roleAllows(role, 'applications.manage') ? (
        <DeployTemplate template={template} />
      ) : (
        <NotAllowed needs="applications.manage" title="You do not have access to deploy templates" />
      )}
      {manages && !template.builtin && dialog === 'delete' && (
        <DeleteTemplateDialog template={template} onClose={close} />
      )}
    </>
  )
}

const Menu = ({
  template: { id, name, builtin },
  onDelete,
}: {
  template: TemplateDetails
  onDelete: () => void
}) => (
  <ActionsMenu name={name} variant="secondary">
    {!builtin && (
      <MenuLink to={templatePath(id, 'edit')}>
        <Pencil aria-hidden />
        Edit
      </MenuLink>
    )}
    <MenuLink to={newTemplatePath({ template: id })}>
      <Copy aria-hidden />
      {builtin ? 'Copy and edit' : 'Duplicate'}
    </MenuLink>
    {!builtin && (
      <MenuItem onSelect={onDelete} danger>
        <Trash2 aria-hidden />
        Delete…
      </MenuItem>
    )}
  </ActionsMenu>
)

interface DeleteTemplateDialogProps {
  template: Pick<TemplateDetails, 'id' | 'name'>
  onClose: () => void
}

function DeleteTemplateDialog({ template: { id, name }, onClose }: DeleteTemplateDialogProps) {
  const remove = useDeleteTemplate()
  const navigate = useNavigate()
  return (
    <RemoveDialog
      id={id}
      name={name}
      action="Delete template"
      remove={{
        ...remove,
        mutateAsync: async (input) => {
          await remove.mutateAsync(input)
          void navigate(paths.templates, { replace: true })
        },
      }}
      onClose={onClose}
    >
      Members can no longer deploy this template. Existing applications are kept.
    </RemoveDialog>
  )
}
