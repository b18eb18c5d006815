import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { LayoutTemplate, Rocket } from 'lucide-react'
import { type SubmitEvent, useEffect, useRef } from 'react'
import { readVariables, writeVariables } from '../../../contract/shared/dotenv.ts'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { changeDraft, saveTypedField } from '../../areas/applications/new/new-draft-store.ts'
import {
  isComposeDraft,
  lostFields,
  type NewApplicationDraft,
} from '../../areas/applications/new/new-draft.ts'
import type { FieldErrors } from '../../areas/applications/new/new-errors.ts'
import { NewSections } from '../../areas/applications/new/new-sections.tsx'
import { NewSummary } from '../../areas/applications/new/new-summary.tsx'
import { useNewApplication } from '../../areas/applications/new/use-new-application.ts'
import { useComposeCheck, useComposeValidation } from '../../areas/compose/compose-check.ts'
import { selectedServices } from '../../areas/compose/profiles-field.tsx'
import { ServiceDomains } from '../../areas/compose/service-domains.tsx'
import { ProjectChoice } from '../../areas/projects/project-choice.tsx'
import { projectVariables } from '../../areas/projects/queries.ts'
import { serversQuery } from '../../areas/servers/queries.ts'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { variableValuesQuery } from '../../lib/form/variable-list.ts'
import { useParam } from '../../lib/use-param.ts'
import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { NotAllowed } from '../page-fallback.tsx'
import { ServerSelect } from '../servers/server-select.tsx'
import { NewApplicationSource } from './new-application-source.tsx'

export function CreateApplicationPage() {
  const { role } = useWorkspace()
  useChosen('server')
  useChosen('project')
  return (
    <>
      <PageHeader
        title="New application"
        parents={[{ label: 'Applications', to: paths.applications }]}
        action={
          <ButtonLink to={paths.templates}>
            <LayoutTemplate aria-hidden />
            Browse templates
          </ButtonLink>
        }
      />
      {roleAllows(role, 'applications.manage') ? (
        <NewApplicationForm />
      ) : (
        <NotAllowed needs="applications.manage" />
      )}
    </>
  )
}

/** Selects the server or project that a link from its page names. */
function useChosen(what: 'server' | 'project') {
  const [id, set] = useParam(what)
  useEffect(() => {
    if (id === '') return
    changeDraft({ [`${what}_id`]: id })
    set('')
  }, [what, id, set])
}

/** Returns the variables of the project merged with those of the draft, which take precedence. */
function useEnvironment({ project_id: id, env }: Pick<NewApplicationDraft, 'project_id' | 'env'>): string {
  const { data = [] } = useQuery({ ...variableValuesQuery(projectVariables(id)), enabled: id !== '' })
  const inherited = data.map(({ key, value }) => ({ key, value: value ?? '' }))
  return inherited.length === 0 ? env : writeVariables([...inherited, ...readVariables(env)])
}

function NewApplicationForm() {
  const { role } = useWorkspace()
  const { draft, errors, standing, creating, createAndDeploy } = useNewApplication()
  const form = useFirstFault(errors)
  const { 'source.compose': text, 'source.profiles': profiles, server_id: serverId } = draft
  const isCompose = isComposeDraft(draft)
  const env = useEnvironment(draft)
  const file = useComposeCheck(isCompose ? text : '', env, profiles, serverId)
  const { reading, findFault } = useComposeValidation()
  const { data: servers } = useInfiniteQuery(serversQuery(''))
  const server = servers?.find(({ id }) => id === serverId)
  const services = selectedServices(file.services, profiles)
  const part = { draft, errors: standing }

  async function deploy() {
    const fault = isCompose ? await findFault(text, env, profiles, serverId) : undefined
    await createAndDeploy(fault === undefined ? {} : { 'source.compose': fault })
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (!reading && !creating) void deploy()
  }

  return (
    <form
      ref={form}
      onSubmit={submit}
      onInput={saveTypedField}
      noValidate
      data-whole-page
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 min-[1280px]:grid-cols-[minmax(0,1fr)_20rem]"
    >
      <div className="flex min-w-0 flex-col gap-6">
        <LostNotice draft={draft} />
        <NewApplicationSource {...part} file={file} server={server} />
        <Card title="Name and server">
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <Field label="Name" error={standing['name']}>
              <Input
                name="name"
                value={draft.name}
                onChange={({ target }) => changeDraft({ name: target.value })}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
              />
            </Field>
            <ServerSelect value={serverId} onChange={chooseServer} error={standing['server_id']} />
            <ProjectChoice value={draft.project_id} onChange={chooseProject} />
          </div>
        </Card>
        <NewSections
          {...part}
          binds={roleAllows(role, 'servers.root')}
          serviceDomains={
            <ServiceDomains
              routes={draft.routes}
              services={services}
              errors={standing}
              onChange={(routes) => changeDraft({ routes })}
            />
          }
        />
      </div>
      <div className="min-[1280px]:sticky min-[1280px]:top-20">
        <NewSummary draft={draft} server={server?.name} services={services.map(({ name }) => name)}>
          <Button
            type="submit"
            variant="primary"
            pending={(reading && 'Checking…') || (creating && 'Creating…')}
            className="self-end max-sm:h-10 max-sm:self-stretch min-[1280px]:self-stretch"
          >
            <Rocket aria-hidden />
            Deploy
          </Button>
        </NewSummary>
      </div>
    </form>
  )
}

const chooseServer = (server_id: string) => changeDraft({ server_id })
const chooseProject = (project_id: string) => changeDraft({ project_id })

/** Opens collapsed sections with errors and focuses the first error. */
function useFirstFault(errors: FieldErrors) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (Object.keys(errors).length === 0) return
    const faulty = form.current?.querySelectorAll<HTMLElement>('[aria-invalid=true], [data-invalid]') ?? []
    for (const field of faulty) field.closest('details')?.setAttribute('open', '')
    faulty[0]?.focus()
  }, [errors])
  return form
}

const fieldNames = new Map([
  ['source.compose', 'the compose file'],
  ['env', 'the environment variables'],
  ['command', 'the command'],
])

function LostNotice({ draft }: { draft: NewApplicationDraft }) {
  const names = lostFields(draft).map((field) => fieldNames.get(field) ?? field)
  if (names.length === 0) return null
  return (
    <Notice
      tone="yellow"
      title={`Enter ${names.join(' and ')} again`}
      action={<Button onClick={() => changeDraft({ lost: [] })}>Dismiss</Button>}
    >
      The page was reloaded. Text that may contain secrets is not stored in the browser.
    </Notice>
  )
}
