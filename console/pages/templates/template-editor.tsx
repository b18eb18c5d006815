import { useQuery } from '@tanstack/react-query'
import { Navigate, useNavigate, useParams } from 'react-router'
import { toast } from 'sonner'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { ComposeEditor, type EditedFile } from '../../areas/compose/compose-editor.tsx'
import { InputsPreview } from '../../areas/templates/input-fields.tsx'
import {
  draftTemplateQuery,
  type TemplateFiles,
  templateQuery,
  useCheckTemplate,
  useSaveTemplate,
} from '../../areas/templates/queries.ts'
import { composeExample, templateExample } from '../../areas/templates/template-example.ts'
import { TemplateFacts, TemplateLogo } from '../../areas/templates/template-card.tsx'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { ReviewHostAccess } from '../../lib/review.tsx'
import { SaveButtons, useDraft } from '../../lib/form/use-draft.tsx'
import { useForm } from '../../lib/form/use-form.ts'
import { useParam } from '../../lib/use-param.ts'
import { useTitle } from '../../lib/use-title.ts'
import { newTemplatePath, templatePath } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { NotAllowed } from '../page-fallback.tsx'
import { TemplateFallback, templateParents } from './template-fallback.tsx'

export function NewTemplatePage() {
  const { role } = useWorkspace()
  const [application] = useParam('application')
  const [other] = useParam('template')
  const drafted = useQuery(draftTemplateQuery(application))
  const copied = useQuery({ ...templateQuery(other), enabled: other !== '' })
  const from = application === '' ? copied : drafted
  const saved = application === '' ? copyOf(copied.data?.files) : drafted.data
  const title = 'New template'
  if (!roleAllows(role, 'templates.manage'))
    return (
      <>
        <PageHeader title={title} parents={templateParents} />
        <NotAllowed needs="templates.manage" />
      </>
    )
  if (application + other !== '' && !saved) return <TemplateFallback title={title} query={from} drafting />
  return (
    <>
      <PageHeader
        title={title}
        parents={templateParents}
        description="Workspace members can deploy this template."
      />
      <Editor
        key={application + other}
        draft={`new template ${application}${other}`}
        saved={saved ?? nothing}
      />
    </>
  )
}

/** Renames a copy, to distinguish it from the original. */
const copyOf = (files: TemplateFiles | null | undefined): TemplateFiles | undefined =>
  files
    ? {
        ...files,
        template: files.template.replace(/^(name:[ \t]*\S.*?)(["']?)[ \t]*$/m, '$1 (copy)$2'),
      }
    : undefined

const nothing: TemplateFiles = { template: '', compose: '' }

export function EditTemplatePage() {
  const { id = '' } = useParams()
  const { role } = useWorkspace()
  const query = useQuery(templateQuery(id))
  const template = query.data
  useTitle(template ? `Edit ${template.name}` : 'Template')
  if (!template) return <TemplateFallback title="Template" query={query} />
  // Built-in templates cannot be edited, so open a copy.
  if (template.builtin) return <Navigate to={newTemplatePath({ template: id })} replace />
  const parents = [...templateParents, { label: template.name, to: templatePath(id) }]
  return (
    <>
      <PageHeader
        title="Edit template"
        parents={parents}
        description="Changes do not affect existing applications."
      />
      {template.files && roleAllows(role, 'templates.manage') ? (
        <Editor key={id} id={id} draft={`template file ${id}`} saved={template.files} />
      ) : (
        <NotAllowed needs="templates.manage" />
      )}
    </>
  )
}

function Editor({ id, draft: form, saved }: { id?: string; draft: string; saved: TemplateFiles }) {
  const draft = useDraft(saved, form)
  const files = { template: draft.typed.template, compose: draft.typed.compose }
  const { problems, template, failures } = useCheckTemplate(files)
  const save = useSaveTemplate(id)
  const navigate = useNavigate()
  const {
    form: sends,
    errors,
    pending,
  } = useForm({}, async () => {
    const made = await save.mutateAsync(files)
    draft.drop()
    toast.success(id === undefined ? 'Template created' : 'Template saved')
    void navigate(templatePath(made.id), { replace: id === undefined })
  })
  return (
    <form {...sends} onReset={draft.onReset} className="flex flex-col gap-6">
      <Card title="template.yaml" description="Name, inputs and the service that receives HTTP traffic.">
        <ComposeEditor
          file={templateFile}
          value={files.template}
          onChange={(text) => draft.put('template', text)}
          check={{ problems: problems.template, failure: failures.template }}
          error={errors['template']}
        />
      </Card>
      <Card title="compose.yaml" description="Use ${NAME} for inputs.">
        <ComposeEditor
          file={composeFile}
          value={files.compose}
          onChange={(text) => draft.put('compose', text)}
          check={{ problems: problems.compose, failure: failures.compose }}
          error={errors['compose']}
        />
      </Card>
      {template && (
        <>
          <Card title="Preview">
            <div className="flex flex-col gap-4">
              <p className="font-semibold">{template.name}</p>
              <div className="flex items-start gap-4">
                <TemplateLogo template={template} large />
                <p className="min-w-0 wrap-anywhere">
                  <TemplateFacts template={template} />
                </p>
              </div>
            </div>
          </Card>
          <ReviewHostAccess items={template.host_access} allowed />
          <InputsPreview inputs={template.inputs} />
        </>
      )}
      <div className="flex justify-end">
        <SaveButtons
          draft={id === undefined ? { ...draft, changed: files.template.trim() !== '' } : draft}
          pending={pending}
          action={id === undefined ? 'Create template' : 'Save template'}
        />
      </div>
    </form>
  )
}

const templateFile: EditedFile = {
  label: 'Template file',
  example: templateExample,
  hint: 'name: My application',
  completes: false,
}

const composeFile: EditedFile = {
  label: 'Compose file',
  example: composeExample,
  hint: 'services:\n  web:\n    image: nginx:1.27.5',
  completes: true,
}
